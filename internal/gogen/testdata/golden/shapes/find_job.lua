-- @key job
-- @arg reply string
-- @return {id: string, tries: int, note: string?, until: time(ms)?}?
if ARGV[1] == 'none' then return nil end
if ARGV[1] == 'short' then return {'7', 3} end
if ARGV[1] == 'hole' then return {'7', 3, false, 1500} end
return {'7', '3', 'urgent', '1500'}
