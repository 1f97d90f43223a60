-- @return int
return 4
