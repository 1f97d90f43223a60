-- @return int
return 10
