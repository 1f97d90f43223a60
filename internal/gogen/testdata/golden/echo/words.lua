-- @arg value bool("yes", "no")
-- @return {value: bool("yes", "no"), text: string}
return {ARGV[1], ARGV[1]}
