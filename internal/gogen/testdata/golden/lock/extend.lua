-- Extends leases that are still held. Only whoever holds the lock may do so, and proves it with its token,
-- which nobody else has.
-- 1 when it was extended, 0 when it was lost, and nothing is ever shortened by it, whatever the lease says:
-- 0 is no lease.
-- @key lock
-- @arg token string
-- @arg lease_ms duration(ms) how long from now
-- @return bool
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2], 'GT')
