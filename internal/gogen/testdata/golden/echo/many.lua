-- Many takes more than the limit.
--
-- @key source where the job is
-- @key target where it goes, with a description that is rather long and so has to be wrapped at the end of the line
-- @arg job string
-- @arg type enum(plain=0, urgent=1)
-- @arg ttl duration(s)? how long it lives
-- @arg tags string...
-- @return string[]
return ARGV
