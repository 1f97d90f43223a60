-- @arg value uint
-- @return {value: uint, text: string}
return {ARGV[1], ARGV[1]}
