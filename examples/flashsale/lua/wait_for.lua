-- queue up for a piece that comes back; who waits already keeps the place
local queue = KEYS[1]
local user = ARGV[1]
local now = ARGV[2]
redis.call('zadd', queue, 'nx', now, user)
return redis.call('zrank', queue, user) + 1
