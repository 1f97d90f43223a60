-- @arg scale int
-- @arg factors float...
-- @return float[]
local out = {}
for i = 2, #ARGV do out[i - 1] = ARGV[i] end
return out
