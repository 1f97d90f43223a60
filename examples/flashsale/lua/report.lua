-- Report tells what was sold, for the books.
--
-- @key    bought  users by pieces
-- @key    orders  all orders that stand
-- @key    stocks... of every room
-- @return {left: int, sold: int, orders: int, best: pairs(string, int)}
-- @readonly
local left, sold = 0, 0
for i = 3, #KEYS do
  left = left + tonumber(redis.call('GET', KEYS[i]) or '0')
end
for _, order in ipairs(redis.call('HVALS', KEYS[2])) do
  sold = sold + tonumber(string.match(order, '^%S+ (%d+)'))
end
return {left, sold, redis.call('HLEN', KEYS[2]), redis.call('ZREVRANGE', KEYS[1], 0, 2, 'WITHSCORES')}
