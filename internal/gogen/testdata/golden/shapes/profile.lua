-- @key hash
-- @return map(string, string)
-- @readonly
redis.setresp(3)
return redis.call('HGETALL', KEYS[1])
