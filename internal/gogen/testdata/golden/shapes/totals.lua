-- @return map(string, int)
return {'a', 1, 'b', '2'}
