-- @arg params enum("a", "a-b", "a_b", "")
-- @return {reply: {status: enum(a=1)}, script: {status: enum(b=2)}, params: {x: int}, status: enum(c=3)}
return {{1}, {2}, {6}, 3}
