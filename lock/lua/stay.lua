-- Stay gives who has a place of a semaphore a new lease, counted from now. It
-- never takes a place again that is lost, and never shortens a lease.
--
-- @key    seats    who has a place, until when
-- @key    fences   the fence of each, in the same hash slot
-- @arg    token    string        the owner's unique token
-- @arg    fence    int           what Enter gave
-- @arg    ttl      duration(ms)  the new lease, more than zero
-- @return enum(gone=0, extended=1, taken=2)
-- @error  INVALID  an argument is missing or makes no sense
-- @idempotent

local MAX_TTL = 31536000000 -- a year, of 11 digits

local seats, fences = KEYS[1], KEYS[2]
local token, fence, ttl = ARGV[1], ARGV[2], tonumber(ARGV[3])
if not string.find(fence, '^[1-9]%d*$') then
  return redis.error_reply('INVALID the fence is no positive integer')
end
if not string.find(ARGV[3], '^%d+$') or #ARGV[3] > 11 or ttl < 1 or ttl > MAX_TTL then
  return redis.error_reply('INVALID ttl must be 1 ms to a year, as an integer of milliseconds')
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ends = redis.call('ZSCORE', seats, token)
if not ends or tonumber(ends) <= now then
  return 0
end
if redis.call('HGET', fences, token) ~= fence then
  return 2
end
if tonumber(ends) < now + ttl then
  redis.call('ZADD', seats, string.format('%.0f', now + ttl), token)
  for i = 1, 2 do
    if redis.call('PTTL', KEYS[i]) < ttl then
      redis.call('PEXPIRE', KEYS[i], ARGV[3])
    end
  end
end
return 1
