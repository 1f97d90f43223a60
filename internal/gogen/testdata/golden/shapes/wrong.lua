-- Wrong replies in another shape than it says.
-- @return {status: enum(no=0, yes=1), jobs: {id: string, score: float}[]}
return {1, {{'a', 'not a number'}}}
