-- @key first
-- @key others...
-- @return string[]
return KEYS
