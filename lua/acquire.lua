-- Acquire takes the lock, or refreshes it when token already holds it.
--
-- A holder is told by its token, and each time that the lock is taken anew by a
-- fence greater than all before it. Asking again with the same token gives the
-- same fence, so a request whose reply was lost may be sent again. A refresh
-- never shortens the lease: a duplicate that comes late does no harm.
--
-- When another one holds the lock, ttl is how long it still may, and fence is 0.
--
-- @key    lock    the lock
-- @key    fence   its fencing counter, in the same hash slot
-- @arg    token   string        the owner's unique token
-- @arg    ttl     duration(ms)  lease, more than zero
-- @return {status: enum(held=0, acquired=1, refreshed=2), fence: int, ttl: duration(ms)}
-- @error  INVALID an argument is missing or makes no sense
-- @error  FOREIGN the lock's key holds something that never expires, so it is no lock
-- @error  FENCE   the counter's key holds something that is no counter
-- @idempotent

-- The counter outlives the lock by a day. Without it fences go on from the
-- clock, which is behind the counter only if it was turned back.
local COUNTER_TTL = 86400000
local MAX_TTL = 31536000000 -- a year, of 11 digits
local MAX_EXACT = 9007199254740991 -- of 16 digits, the greatest integer that a number holds exactly

if #KEYS ~= 2 or #ARGV ~= 2 then
  return redis.error_reply('INVALID acquire takes 2 keys and 2 arguments, found '
    .. #KEYS .. ' and ' .. #ARGV)
end
local lock, counter = KEYS[1], KEYS[2]
local token, ttl = ARGV[1], tonumber(ARGV[2])
if lock == counter then
  return redis.error_reply('INVALID the lock and its counter are the same key')
end
if token == '' then
  return redis.error_reply('INVALID the token is empty')
end
if not string.find(ARGV[2], '^%d+$') or #ARGV[2] > 11 or ttl < 1 or ttl > MAX_TTL then
  return redis.error_reply('INVALID ttl must be 1 ms to a year, as an integer of milliseconds')
end

local held = redis.call('GET', lock)
if held then
  local left = redis.call('PTTL', lock)
  local holder, fence = string.match(held, '^(.*):(%d+)$')
  if holder == token then
    if left < ttl then
      redis.call('PEXPIRE', lock, ARGV[2])
      left = ttl
    end
    return {2, tonumber(fence), left}
  end
  if left < 0 then
    return redis.error_reply('FOREIGN the lock holds a value that never expires')
  end
  return {0, 0, left}
end

local last = redis.call('GET', counter) or '0'
if not string.find(last, '^%d+$') or #last > 16 or tonumber(last) >= MAX_EXACT then
  return redis.error_reply('FENCE the counter holds a value that is no fence')
end
local now = redis.call('TIME')
local fence = math.max(tonumber(last) + 1, now[1] * 1000000 + now[2])
local written = string.format('%.0f', fence)

redis.call('SET', lock, token .. ':' .. written, 'PX', ARGV[2])
redis.call('SET', counter, written, 'PX', string.format('%.0f', ttl + COUNTER_TTL))
return {1, fence, ttl}
