-- @return map(enum("x", "y"), {count: int})
return {'x', {1}, 'y', {2}}
