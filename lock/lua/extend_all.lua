-- ExtendAll gives the holder of all the locks a new lease, counted from now, or
-- changes nothing when one of them is not its own any more.
--
-- @key    locks...  the locks
-- @arg    token     string        the owner's unique token
-- @arg    fence     int           what AcquireAll gave
-- @arg    ttl       duration(ms)  the new lease, more than zero
-- @return enum(gone=0, extended=1, taken=2)
-- @error  INVALID   an argument is missing or makes no sense
-- @idempotent

local MAX_TTL = 31536000000 -- a year, of 11 digits

local token, fence, ttl = ARGV[1], ARGV[2], tonumber(ARGV[3])
if token == '' then
  return redis.error_reply('INVALID the token is empty')
end
if not string.find(fence, '^[1-9]%d*$') then
  return redis.error_reply('INVALID the fence is no positive integer')
end
if not string.find(ARGV[3], '^%d+$') or #ARGV[3] > 11 or ttl < 1 or ttl > MAX_TTL then
  return redis.error_reply('INVALID ttl must be 1 ms to a year, as an integer of milliseconds')
end

local gone = false
for i = 1, #KEYS do
  local held = redis.call('GET', KEYS[i])
  if not held then
    gone = true
  elseif held ~= token .. ':' .. fence then
    return 2
  end
end
if gone then
  return 0
end
for i = 1, #KEYS do
  if redis.call('PTTL', KEYS[i]) < ttl then
    redis.call('PEXPIRE', KEYS[i], ARGV[3])
  end
end
return 1
