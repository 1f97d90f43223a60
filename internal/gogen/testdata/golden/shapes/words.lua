-- @return string[]?
-- @arg some bool
if ARGV[1] == '1' then return {'a', 'b'} end
return false
