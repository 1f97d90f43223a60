-- Enter takes a place of a semaphore, or refreshes it when token already has one.
--
-- Places are counted by the server's clock: one whose time is over is free.
-- Asking again with the same token gives the same fence, and a refresh never
-- shortens the lease. When all places are taken, ttl is when the first of them
-- is free at the latest, and fence is 0.
--
-- @key    seats    who has a place, until when
-- @key    fences   the fence of each, in the same hash slot
-- @key    counter  the fencing counter, in the same hash slot
-- @arg    token    string        the owner's unique token
-- @arg    ttl      duration(ms)  lease, more than zero
-- @arg    places   int           how many there are, more than zero
-- @return {status: enum(full=0, entered=1, refreshed=2), fence: int, ttl: duration(ms)}
-- @error  INVALID  an argument is missing or makes no sense
-- @error  FENCE    the counter's key holds something that is no counter
-- @idempotent

local COUNTER_TTL = 86400000
local MAX_TTL = 31536000000 -- a year, of 11 digits
local MAX_EXACT = 9007199254740991 -- the greatest integer that a number holds exactly

local seats, fences, counter = KEYS[1], KEYS[2], KEYS[3]
local token, ttl, places = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
if token == '' then
  return redis.error_reply('INVALID the token is empty')
end
if not string.find(ARGV[2], '^%d+$') or #ARGV[2] > 11 or ttl < 1 or ttl > MAX_TTL then
  return redis.error_reply('INVALID ttl must be 1 ms to a year, as an integer of milliseconds')
end
if not string.find(ARGV[3], '^[1-9]%d*$') then
  return redis.error_reply('INVALID there must be a place at least')
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Both keys last as long as the longest lease.
local function keep()
  for i = 1, 2 do
    if redis.call('PTTL', KEYS[i]) < ttl then
      redis.call('PEXPIRE', KEYS[i], ARGV[2])
    end
  end
end

for _, gone in ipairs(redis.call('ZRANGE', seats, '-inf', string.format('%.0f', now), 'BYSCORE')) do
  redis.call('ZREM', seats, gone)
  redis.call('HDEL', fences, gone)
end

local ends = redis.call('ZSCORE', seats, token)
if ends then
  local fence = redis.call('HGET', fences, token)
  if tonumber(ends) < now + ttl then
    redis.call('ZADD', seats, string.format('%.0f', now + ttl), token)
    keep()
  end
  return {2, tonumber(fence) or 0, math.max(tonumber(ends) - now, ttl)}
end

if redis.call('ZCARD', seats) >= places then
  local first = redis.call('ZRANGE', seats, 0, 0, 'WITHSCORES')
  return {0, 0, tonumber(first[2]) - now}
end

local last = redis.call('GET', counter) or '0'
if not string.find(last, '^%d+$') or #last > 16 or tonumber(last) >= MAX_EXACT then
  return redis.error_reply('FENCE the counter holds a value that is no fence')
end
local fence = math.max(tonumber(last) + 1, time[1] * 1000000 + time[2])
local written = string.format('%.0f', fence)
redis.call('ZADD', seats, string.format('%.0f', now + ttl), token)
redis.call('HSET', fences, token, written)
keep()
redis.call('SET', counter, written, 'PX', string.format('%.0f', ttl + COUNTER_TTL))
return {1, fence, ttl}
