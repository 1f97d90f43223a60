-- Leave frees a place of a semaphore if token and fence have it.
--
-- @key    seats   who has a place, until when
-- @key    fences  the fence of each, in the same hash slot
-- @arg    token   string  the owner's unique token
-- @arg    fence   int     what Enter gave; 0 when its reply was lost, and any will do
-- @return enum(gone=0, released=1, taken=2)
-- @idempotent

local seats, fences = KEYS[1], KEYS[2]
local token, fence = ARGV[1], ARGV[2]
local ends = redis.call('ZSCORE', seats, token)
if not ends then
  return 0
end
if fence ~= '0' and redis.call('HGET', fences, token) ~= fence then
  return 2
end
redis.call('ZREM', seats, token)
redis.call('HDEL', fences, token)
local time = redis.call('TIME')
if tonumber(ends) <= time[1] * 1000 + math.floor(time[2] / 1000) then
  return 0
end
return 1
