-- Abandon frees the locks that token holds, whatever their fences.
--
-- It follows a request to acquire whose reply was lost, so that its fence is not
-- known. The token was made for that request and nobody else has it.
--
-- @key    locks...  the locks
-- @arg    token     string  the token of the lost request
-- @return int       how many were freed
-- @idempotent

local freed = 0
local prefix = ARGV[1] .. ':'
for i = 1, #KEYS do
  local held = redis.call('GET', KEYS[i])
  if held and string.sub(held, 1, #prefix) == prefix then
    redis.call('DEL', KEYS[i])
    freed = freed + 1
  end
end
return freed
