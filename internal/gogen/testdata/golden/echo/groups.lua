-- @key stock
-- @arg items {sku: string, count: int, weight: float, until: duration(s), gift: bool, kind: enum("a", "b"), extra: msgpack(github.com/luagen/luagen/internal/gogen/testdata/shop.Order)}...
-- @return string[]
local out = {}
for i = 1, #ARGV, 7 do
  for j = i, i + 5 do out[#out + 1] = ARGV[j] end
end
return out
