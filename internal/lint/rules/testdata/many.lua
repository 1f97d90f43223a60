-- many mistakes in one script: none hides the next
local rcall = redis.call
if rcall('SET', KEYS[1], ARGV[1], 'NX') == 'OK' then return 1 end --[[want "status-reply-compared-with-string"]]
if rcall('SADD', KEYS[2], ARGV[1]) then return 2 end --[[want "integer-reply-as-boolean"]]
redis.pcall('SET', KEYS[1], 'x') --[[want "pcall-result-unchecked"]]
local exists = rcall('EXISTS', KEYS[3])
if not exists then return 3 end --[[want "integer-reply-as-boolean"]]
local n = rcall('GET', KEYS[1])
if n > 5 then return 4 end --[[want "argv-ordered-compare"]]
if tonumber(ARGV[1]) == '5' then return 6 end --[[want "string-number-equality"]]
local t = rcall('TIME') --[[want "unused-local"]]
if ARGV[2] < ARGV[3] then return 7 end --[[want "argv-ordered-compare"]]
rcall('HSET', KEYS[4], 'a') --[[want "wrong-arity"]]
rcall('EXPIRE', KEYS[4], ARGV[4] * 1.5) --[[want "non-integer-argument"]]
rcall('ZADD', KEYS[5], 'NX', 'GT', 1, 'a')
rcall('SET', KEYS[1], {1,2}) --[[want "nil-command-argument"]]
rcall('SET', KEYS[1], ARGV[1] == 'x') --[[want "nil-command-argument"]]
local m = rcall('HGETALL', KEYS[4])
for k, v in pairs(m) do if k == 'name' then return v end end --[[want "string-number-equality"]]
local s = rcall('ZSCORE', KEYS[5], 'm')
local total = s + 1 --[[want "unused-local"]]
redis.log('x', redis.LOG_WARNING) --[[want "log-misuse"]]
local z = rcall('ZRANGE', KEYS[5], 0, -1, 'WITHSCORES')
local r = z.member --[[want "unused-local"]] --[[want "hgetall-as-map"]]
local ok = rcall('PING')
if ok == 'PONG' then return 8 end --[[want "status-reply-compared-with-string"]]
local list = rcall('LRANGE', KEYS[6], 0, -1)
if list == nil then return 9 end --[[want "reply-nil-compare"]]
if list == false then return 9 end
if rcall('TTL', KEYS[1]) == false then return 10 end
if #list == '0' then return 11 end --[[want "string-number-equality"]]
local v = rcall('MGET', KEYS[1], KEYS[2])
local sum = v[1] + v[2] --[[want "unused-local"]] --[[want "false-in-array-arith"]] --[[want "false-in-array-arith"]]
rcall('SETEX', KEYS[1], 0, 'x') --[[want "expire-zero-or-negative"]]
rcall('DEL', unpack({})) --[[want "wrong-arity"]]
local x = string.split(ARGV[1], ',') --[[want "unused-local"]] --[[want "unknown-member"]]
local y = ARGV[1]:split(',') --[[want "unused-local"]] --[[want "unknown-member"]]
return {1, nil, 2} --[[want "nil-hole-return"]]
