--[[
Moves pieces from one room to another. Only whoever holds the lock of the room
that gives may do so, and proves it with the lock's fence: a holder that was
stopped for too long comes with an old one and is refused.

Keys:
  KEYS[1] - from, the stock of the room that gives
  KEYS[2] - to, the stock of the room that gets
  KEYS[3] - guard, the greatest fence seen
Arguments:
  ARGV[1] - most, how many to move at most
  ARGV[2] - fence

@return int how many were moved
@error  STALE the fence is older than one that was here already
]]
local from, to = KEYS[1], KEYS[2]
local most, fence = tonumber(ARGV[1]), tonumber(ARGV[2])
local seen = tonumber(redis.call('GET', KEYS[3]) or '0')

if fence < seen then
  return redis.error_reply('STALE fence, the lock has a new holder')
end
redis.call('SET', KEYS[3], ARGV[2])

local n = math.min(most, tonumber(redis.call('GET', from) or '0'))
if n <= 0 then return 0 end
redis.call('DECRBY', from, n)
redis.call('INCRBY', to, n)
return n
