-- ReleaseAll frees those of the locks that token and fence still hold, and tells
-- those who wait for them.
--
-- It may be sent again: what is gone stays gone, and what another one has taken
-- since is not touched. It is taken when another one has one of the locks, else
-- gone when one of them was not there, else released.
--
-- @key    locks...    the locks
-- @arg    token       string     the owner's unique token
-- @arg    fence       int        what Acquire or AcquireAll gave
-- @arg    publish     enum("no", "plain", "sharded")  whether releases are told, and how
-- @arg    channels    string...  a channel for each lock, where its release is told
-- @return enum(gone=0, released=1, taken=2)
-- @error  INVALID     an argument is missing or makes no sense
-- @idempotent

local token, fence = ARGV[1], ARGV[2]
local publish = ARGV[3]
if token == '' then
  return redis.error_reply('INVALID the token is empty')
end
if not string.find(fence, '^[1-9]%d*$') then
  return redis.error_reply('INVALID the fence is no positive integer')
end

local outcome = 1
for i = 1, #KEYS do
  local held = redis.call('GET', KEYS[i])
  if not held then
    if outcome == 1 then
      outcome = 0
    end
  elseif held == token .. ':' .. fence then
    redis.call('DEL', KEYS[i])
    if publish == 'sharded' then
      redis.call('SPUBLISH', ARGV[3 + i], 'released')
    elseif publish == 'plain' then
      redis.call('PUBLISH', ARGV[3 + i], 'released')
    end
  else
    outcome = 2
  end
end
return outcome
