-- @arg id string
-- @arg level int
-- @arg ids string...
-- @return string[]
-- @go id github.com/luagen/luagen/internal/gogen/testdata/shop.ID
-- @go level github.com/luagen/luagen/internal/gogen/testdata/shop.Level
-- @go ids github.com/luagen/luagen/internal/gogen/testdata/shop.Code
-- @go reply github.com/luagen/luagen/internal/gogen/testdata/shop.ID
return ARGV
