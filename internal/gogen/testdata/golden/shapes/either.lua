-- @arg which int
-- @return int | string | any[]
if ARGV[1] == '1' then return 7 end
if ARGV[1] == '2' then return 'seven' end
if ARGV[1] == '3' then return {1, 'two'} end
return nil
