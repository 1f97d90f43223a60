-- Takes an order back and puts its pieces on sale again.
--
-- KEYS[1] -> stock
-- KEYS[2] -> bought
-- KEYS[3] -> orders
-- ARGV[1] -> order id
--
-- @return int how many pieces came back; 0 if there is no such order (any more)

local order = redis.call('HGET', KEYS[3], ARGV[1])
if not order then
    return 0
end
local room, pieces, user = string.match(order, '^(%S+) (%d+) (.*)$')
pieces = tonumber(pieces)
redis.call('INCRBY', KEYS[1], pieces)
if tonumber(redis.call('ZINCRBY', KEYS[2], -pieces, user)) <= 0 then
    redis.call('ZREM', KEYS[2], user)
end
redis.call('HDEL', KEYS[3], ARGV[1])
return pieces
