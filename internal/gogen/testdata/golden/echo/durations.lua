-- @arg lease duration(s)
-- @arg ttl_ms duration(ms)
-- @arg wait duration(us)
-- @return {lease: duration(s), ttl_ms: duration(ms), wait: duration(us), seconds: duration(s), texts: string[]}
return {ARGV[1], tonumber(ARGV[2]), ARGV[3], 3, ARGV}
