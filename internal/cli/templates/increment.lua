-- Increment adds to a counter, which is forgotten when it rests for long enough.
local counter = KEYS[1]
local by, ttl = ARGV[1], ARGV[2]

local count = redis.call('INCRBY', counter, by)
redis.call('PEXPIRE', counter, ttl)
return count
