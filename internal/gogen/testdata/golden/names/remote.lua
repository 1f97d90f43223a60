-- @arg remote_call int
-- @arg decode_remote_reply int
-- @return {total: int}
return {ARGV[1] + ARGV[2]}
