-- @return enum(no=0, yes=1)
return 2
