-- replies compared with what they never are, through aliases and helpers
local call = redis.call
local function get(key)
  return call('GET', key)
end
local v = get(KEYS[1])
if v == nil --[[want "reply-nil-compare"]] then
  return 0
end
-- a defensive test for both is a habit, not a mistake
local w = get(KEYS[2])
if w == nil or w == false then
  return 1
end
if not v or v == nil then
  return 2
end
-- what may really be nil is no finding
local n = tonumber(get(KEYS[1]))
if n == nil then
  return 3
end
local ttl = call('TTL', KEYS[1])
if ttl and ttl > 0 then
  return 4
end
local set = call('SET', KEYS[1], 'x', 'NX')
if set then
  return 5
end
return call('SISMEMBER', KEYS[3], 'm') --[[want "integer-reply-as-boolean"]] and 6 or 7
