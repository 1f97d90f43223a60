-- KEYS[1]: the queue
-- ARGV[1]: count
local users = redis.call('ZRANGE', KEYS[1], 0, tonumber(ARGV[1]) - 1)
if #users > 0 then
  redis.call('ZREM', KEYS[1], unpack(users))
end
return users
