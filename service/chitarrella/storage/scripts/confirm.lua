-- Make a write that changes nothing, so that its caller can wait until all earlier writes have reached the replicas.
-- KEYS  row
local expires_at = redis.call('PEXPIRETIME', KEYS[1])
if expires_at > 0 then redis.call('PEXPIREAT', KEYS[1], expires_at) end
return 1
