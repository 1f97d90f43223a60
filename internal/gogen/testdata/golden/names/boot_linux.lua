-- @return int
return 2
