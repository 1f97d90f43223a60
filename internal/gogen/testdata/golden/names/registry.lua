-- @return int
return 9
