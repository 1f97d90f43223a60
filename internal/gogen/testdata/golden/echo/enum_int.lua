-- @arg state enum(held=0, acquired=1, gone=-7)
-- @return enum(held=0, acquired=1, gone=-7)
return tonumber(ARGV[1])
