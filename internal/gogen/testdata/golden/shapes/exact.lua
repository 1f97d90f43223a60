-- @return {third: float, double: float, text: float}
redis.setresp(3)
return {string.format('%.17g', 1/3), '0.1', '12'}
