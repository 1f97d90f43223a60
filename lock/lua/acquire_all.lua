-- AcquireAll takes all the locks, or none of them.
--
-- It is Acquire for many: each lock is written as Acquire writes it, so that
-- both exclude each other. The fence is one for all, greater than every one of
-- the locks had before. Asking again with the same token gives the same fence
-- while all are held.
--
-- When another one holds some of the locks, nothing is taken; ttl is the longest
-- time that one of them may still be held, and fence is 0.
--
-- @key    keys...  the locks, then in the same order the fencing counter of each; all in one hash slot
-- @arg    token    string        the owner's unique token
-- @arg    ttl      duration(ms)  lease, more than zero
-- @return {status: enum(held=0, acquired=1, refreshed=2), fence: int, ttl: duration(ms)}
-- @error  INVALID  an argument is missing or makes no sense
-- @error  FOREIGN  a lock's key holds something that never expires, so it is no lock
-- @error  FENCE    a counter's key holds something that is no counter
-- @idempotent

local COUNTER_TTL = 86400000
local MAX_TTL = 31536000000 -- a year, of 11 digits
local MAX_EXACT = 9007199254740991 -- the greatest integer that a number holds exactly

local n = #KEYS / 2
if n < 1 or n ~= math.floor(n) then
  return redis.error_reply('INVALID acquire_all takes a counter for each lock, found ' .. #KEYS .. ' keys')
end
local token, ttl = ARGV[1], tonumber(ARGV[2])
if token == '' then
  return redis.error_reply('INVALID the token is empty')
end
if not string.find(ARGV[2], '^%d+$') or #ARGV[2] > 11 or ttl < 1 or ttl > MAX_TTL then
  return redis.error_reply('INVALID ttl must be 1 ms to a year, as an integer of milliseconds')
end

local longest, mine, shared = -1, 0, false
local same = true
for i = 1, n do
  local held = redis.call('GET', KEYS[i])
  if held then
    local holder, fence = string.match(held, '^(.*):(%d+)$')
    if holder == token then
      mine = mine + 1
      same = same and (not shared or shared == fence)
      shared = fence
    else
      local left = redis.call('PTTL', KEYS[i])
      if left < 0 then
        return redis.error_reply('FOREIGN a lock holds a value that never expires')
      end
      longest = math.max(longest, left)
    end
  end
end
if longest >= 0 then
  return {0, 0, longest}
end
if mine == n and same then
  for i = 1, n do
    if redis.call('PTTL', KEYS[i]) < ttl then
      redis.call('PEXPIRE', KEYS[i], ARGV[2])
    end
  end
  return {2, tonumber(shared), ttl}
end

local now = redis.call('TIME')
local fence = now[1] * 1000000 + now[2]
for i = n + 1, #KEYS do
  local last = redis.call('GET', KEYS[i]) or '0'
  if not string.find(last, '^%d+$') or #last > 16 or tonumber(last) >= MAX_EXACT then
    return redis.error_reply('FENCE a counter holds a value that is no fence')
  end
  fence = math.max(fence, tonumber(last) + 1)
end
local written = string.format('%.0f', fence)
local counter_ttl = string.format('%.0f', ttl + COUNTER_TTL)
for i = 1, n do
  redis.call('SET', KEYS[i], token .. ':' .. written, 'PX', ARGV[2])
  redis.call('SET', KEYS[n + i], written, 'PX', counter_ttl)
end
return {1, fence, ttl}
