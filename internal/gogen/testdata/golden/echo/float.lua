-- @arg value float
-- @return {value: float, text: string}
return {ARGV[1], ARGV[1]}
