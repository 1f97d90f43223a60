-- @key hash the job
-- @return string? the value of field f
return redis.call('HGET', KEYS[1], 'f')
