-- @return bool
-- @arg word string
if ARGV[1] == 'nil' then return nil end
if ARGV[1] == 'false' then return false end
if ARGV[1] == 'true' then return true end
return tonumber(ARGV[1])
