-- Forget a match at once.
-- KEYS  page, log, requests (all in one slot); ARGV  channel
local gone = redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('PUBLISH', ARGV[1], 'end')
return gone
