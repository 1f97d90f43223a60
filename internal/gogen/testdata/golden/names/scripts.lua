-- @return int
return 3
