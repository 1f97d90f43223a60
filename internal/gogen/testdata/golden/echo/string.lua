-- @arg value string
-- @return string
return ARGV[1]
