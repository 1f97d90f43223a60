-- @return {acquire: int}
return {7}
