-- Remove a match that was claimed, unless it was queued anew since.
-- KEYS  queue; ARGV  match, end of the lease
if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '-1') ~= tonumber(ARGV[2]) then return 0 end
return redis.call('ZREM', KEYS[1], ARGV[1])
