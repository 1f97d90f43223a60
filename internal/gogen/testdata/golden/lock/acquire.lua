#!lua flags=no-cluster
-- Acquire takes the lock, or refreshes it when token already holds it.
--
-- Whoever takes it gets a fencing number, which only ever grows, so that a store can refuse what comes late.
--
--   free   -> acquired
--   own    -> refreshed
--   others -> BUSY
--
-- @key    lock    the lock
-- @key    fence   its fencing counter, in the same hash slot
-- @arg    token   string        the owner's unique token
-- @arg    ttl     duration(ms)  lease, more than zero
-- @return {status: enum(held=0, acquired=1, refreshed=2), fence: int, ttl: duration(ms)}   what became of it
-- @error  BUSY    somebody else holds the lock
-- @error  TTL
-- @idempotent
local ttl = tonumber(ARGV[2])
if ttl <= 0 then
  return redis.error_reply('TTL the lease is not more than zero')
end
local held = redis.call('GET', KEYS[1])
if held == ARGV[1] then
  redis.call('PEXPIRE', KEYS[1], ttl)
  return {2, tonumber(redis.call('GET', KEYS[2])), ttl}
end
if held then
  return redis.error_reply('BUSY held')
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ttl)
return {1, redis.call('INCR', KEYS[2]), ttl}
