-- Release frees the lock if token and fence still hold it.
--
-- It may be sent again: what is gone stays gone, and what another one has taken
-- since is not touched.
--
-- @key    lock   the lock
-- @arg    token  string  the owner's unique token
-- @arg    fence  int     what Acquire gave
-- @return enum(gone=0, released=1, taken=2)
-- @error  INVALID an argument is missing or makes no sense
-- @idempotent

if #KEYS ~= 1 or #ARGV ~= 2 then
  return redis.error_reply('INVALID release takes 1 key and 2 arguments, found '
    .. #KEYS .. ' and ' .. #ARGV)
end
local lock, token, fence = KEYS[1], ARGV[1], ARGV[2]
if token == '' then
  return redis.error_reply('INVALID the token is empty')
end
if not string.find(fence, '^[1-9]%d*$') then
  return redis.error_reply('INVALID the fence is no positive integer')
end

local held = redis.call('GET', lock)
if not held then
  return 0
end
if held ~= token .. ':' .. fence then
  return 2
end
redis.call('DEL', lock)
return 1
