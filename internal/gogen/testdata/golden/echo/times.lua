-- @arg s time(s)
-- @arg ms time(ms)
-- @arg us time(us)
-- @return {s: time(s), ms: time(ms), us: time(us), texts: string[]}
return {ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV}
