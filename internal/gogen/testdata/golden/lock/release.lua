-- Gives the lock back.
-- @key lock Lock
-- @arg token string
-- @error BUSY
-- @return bool false when the lock was lost before
local held = redis.call('GET', KEYS[1])
if not held then return false end
if held ~= ARGV[1] then return redis.error_reply('BUSY held') end
return redis.call('DEL', KEYS[1])
