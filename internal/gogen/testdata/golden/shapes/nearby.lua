-- @return {member: string, distance: float}[]
return {{'a', '1.5'}, {'b', '12345678901234567'}}
