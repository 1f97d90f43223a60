-- @arg value bool
-- @return {value: bool, asLua: bool, text: string}
return {ARGV[1], ARGV[1] == '1', ARGV[1]}
