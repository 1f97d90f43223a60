-- @key s
-- @key type
-- @key ctx
-- @arg p duration(s)
-- @arg call bool
-- @arg time time(s)
-- @arg len int...
-- @return string?
return table.concat(KEYS, ' ') .. ' ' .. table.concat(ARGV, ' ')
