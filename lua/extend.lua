-- Extend gives the holder of the lock a new lease, counted from now.
--
-- It wants the token and the fence that Acquire gave, so a holder that lost the
-- lock and whose late duplicate of Acquire took it again is told that it lost.
-- It never takes a lock that is gone, and never shortens a lease.
--
-- ttl is what the lease then has left; 0 when the lock is gone, and what the
-- other one has left when it is taken.
--
-- @key    lock   the lock
-- @arg    token  string        the owner's unique token
-- @arg    fence  int           what Acquire gave
-- @arg    ttl    duration(ms)  the new lease, more than zero
-- @return {status: enum(gone=0, extended=1, taken=2), ttl: duration(ms)}
-- @error  INVALID an argument is missing or makes no sense
-- @error  FOREIGN the lock's key holds something that never expires, so it is no lock
-- @idempotent

local MAX_TTL = 31536000000 -- a year, of 11 digits

if #KEYS ~= 1 or #ARGV ~= 3 then
  return redis.error_reply('INVALID extend takes 1 key and 3 arguments, found '
    .. #KEYS .. ' and ' .. #ARGV)
end
local lock, token, fence, ttl = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
if token == '' then
  return redis.error_reply('INVALID the token is empty')
end
if not string.find(fence, '^[1-9]%d*$') then
  return redis.error_reply('INVALID the fence is no positive integer')
end
if not string.find(ARGV[3], '^%d+$') or #ARGV[3] > 11 or ttl < 1 or ttl > MAX_TTL then
  return redis.error_reply('INVALID ttl must be 1 ms to a year, as an integer of milliseconds')
end

local held = redis.call('GET', lock)
if not held then
  return {0, 0}
end
local left = redis.call('PTTL', lock)
if held == token .. ':' .. fence then
  if left < ttl then
    redis.call('PEXPIRE', lock, ARGV[3])
    left = ttl
  end
  return {1, left}
end
if left < 0 then
  return redis.error_reply('FOREIGN the lock holds a value that never expires')
end
return {2, left}
