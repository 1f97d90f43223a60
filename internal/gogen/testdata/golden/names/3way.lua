-- @return int
return 5
