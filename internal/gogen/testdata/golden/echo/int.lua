-- @arg value int
-- @return {asText: int, asInteger: int, text: string}
return {ARGV[1], tonumber(ARGV[1]), ARGV[1]}
