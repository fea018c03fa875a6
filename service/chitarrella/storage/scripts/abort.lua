-- Mark a match as aborted. Returns 0 where there is no such match.
-- KEYS  row; ARGV  channel
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'aborted', '1')
redis.call('PUBLISH', ARGV[1], 'end')
return 1
