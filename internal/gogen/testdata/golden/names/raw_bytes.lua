-- @return {a: string, b: int}
local s = "`\r" --  
--[[ ï»¿ ÿ ]]
return {s, 12}
