-- Counts a visit.
-- @key visits
-- @readonly
return redis.call('INCR', KEYS[1]) --[[want "write-in-readonly"]]
