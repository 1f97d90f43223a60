-- @arg first string
-- @arg limit int?
-- @arg ttl duration(ms)?
-- @arg mode enum("a", "b")?
-- @return string[]
return ARGV
