-- @return {status: enum(no=0, yes=1), owner: {name: string, status: enum("on", "off")}, jobs: {id: string, score: float}[], next: {id: string}?, matrix: int[][]}
return {1, {'ann', 'on'}, {{'a', '1.5'}, {'b', '2'}}, false, {{1, 2}, {}}}
