-- @return none
redis.call('GET', 'x')
