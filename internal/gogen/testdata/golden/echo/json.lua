-- @arg document json
-- @arg order json(github.com/luagen/luagen/internal/gogen/testdata/shop.Order)
-- @return {document: json, order: json(github.com/luagen/luagen/internal/gogen/testdata/shop.Order)}
return {ARGV[1], ARGV[2]}
