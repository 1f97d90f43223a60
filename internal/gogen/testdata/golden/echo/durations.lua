-- @arg s duration(s)
-- @arg ms duration(ms)
-- @arg us duration(us)
-- @return {s: duration(s), ms: duration(ms), us: duration(us), texts: string[]}
return {ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV}
