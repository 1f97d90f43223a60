-- @return int
return 1
