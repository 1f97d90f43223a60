-- OpenRoom puts a room on sale, once: whoever comes second changes nothing.
--
-- @key    stock   pieces left in the room
-- @arg    pieces  int  how many there are to sell
-- @return enum(already=0, opened=1)
-- @idempotent
if redis.call('SET', KEYS[1], ARGV[1], 'NX') then
  return 1
end
return 0
