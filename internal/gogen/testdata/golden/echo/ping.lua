-- @return status
-- @readonly
return redis.status_reply('PONG')
