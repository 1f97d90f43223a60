-- @arg value bytes
-- @return bytes
return ARGV[1]
