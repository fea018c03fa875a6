-- Mark a match as ended.
-- KEYS  page; ARGV  channel
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'e', '1')
redis.call('PUBLISH', ARGV[1], 'end')
return 1
