-- @arg shop2 string
-- @arg err string
-- @arg order_data string
-- @arg order msgpack(github.com/luagen/luagen/internal/gogen/testdata/shop.Order)
-- @return string
-- @go reply github.com/luagen/luagen/internal/gogen/testdata/other/shop.ID
return ARGV[1] .. ' ' .. ARGV[2] .. ' ' .. ARGV[3]
