-- @return {busy: {code: int}}
-- @error BUSY
-- @error NOT_FOUND
-- @error NOT-FOUND
-- @error !
return {{8}}
