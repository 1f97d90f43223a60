-- @arg first string
-- @arg limit int?
-- @empty limit
-- @return string[]
return ARGV
