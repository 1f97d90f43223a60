-- Buy sells pieces of a room to a user: all of them or none.
--
-- An order is sold once, however often it is sent: a second try is told that it
-- was sold, too.
--
-- @key    stock     pieces left in the room
-- @key    bought    sorted set: user, by pieces bought in all rooms
-- @key    orders    hash: order id to "room pieces user"
-- @arg    order     string  its unique id
-- @arg    room      string
-- @arg    user      string
-- @arg    quantity  int     pieces, more than zero
-- @arg    limit     int     pieces that one user may have in all
-- @return {outcome: enum(over_limit=-1, sold_out=0, sold=1), left: int}
-- @error  QUANTITY  the quantity is not more than zero
-- @error  CLOSED    the room was never opened
-- @idempotent
local stock, bought, orders = KEYS[1], KEYS[2], KEYS[3]
local order, room, user = ARGV[1], ARGV[2], ARGV[3]
local quantity, limit = tonumber(ARGV[4]), tonumber(ARGV[5])

if quantity < 1 then
  return redis.error_reply('QUANTITY must be more than zero')
end
local left = redis.call('GET', stock)
if not left then
  return redis.error_reply('CLOSED no such room is on sale')
end
left = tonumber(left)
if redis.call('HEXISTS', orders, order) == 1 then
  return {1, left}
end
if tonumber(redis.call('ZSCORE', bought, user) or 0) + quantity > limit then
  return {-1, left}
end
if left < quantity then
  return {0, left}
end
left = redis.call('DECRBY', stock, quantity)
redis.call('ZINCRBY', bought, quantity, user)
redis.call('HSET', orders, order, room .. ' ' .. quantity .. ' ' .. user)
return {1, left}
