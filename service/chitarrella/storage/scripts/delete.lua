-- Delete a match.
-- KEYS  row, log, tokens (all in one slot); ARGV  channel
local count = redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('SPUBLISH', ARGV[1], 'end')
return count
