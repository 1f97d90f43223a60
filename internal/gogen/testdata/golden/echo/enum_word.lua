-- @arg word enum("OK", "not-found", other="", "42")
-- @return enum("OK", "not-found", other="", "42")
if ARGV[1] == 'OK' then return redis.status_reply('OK') end
return ARGV[1]
