-- @return any?
return {}
