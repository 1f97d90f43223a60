-- @return pairs(string, float)
return {'b', '2.5', 'a', '1'}
