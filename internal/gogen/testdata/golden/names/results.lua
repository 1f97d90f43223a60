-- @arg reply string
-- @arg ok string
-- @arg err string
-- @return string?
return table.concat(ARGV, ' ')
