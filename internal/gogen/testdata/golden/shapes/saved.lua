-- Saved tells by a status.
-- @arg absent bool
-- @return status? OK when it was saved
if ARGV[1] == '1' then return false end
return redis.status_reply('OK')
