-- holder tells who holds the lock.
-- @key lock
-- @return string?
-- @readonly
return redis.call('GET', KEYS[1])
