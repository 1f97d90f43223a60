-- @arg document msgpack
-- @arg order msgpack(github.com/luagen/luagen/internal/gogen/testdata/shop.Order)
-- @return {document: msgpack, order: msgpack(github.com/luagen/luagen/internal/gogen/testdata/shop.Order)}
return {ARGV[1], ARGV[2]}
