-- Mark a match as aborted. Returns 0 where there is no such match.
-- KEYS  row; ARGV  channel, channel of the platform (empty for none), announcement, time, reason
if redis.call('HEXISTS', KEYS[1], 'length') == 0 then return 0 end
local is_new = redis.call('HSET', KEYS[1], 'aborted', '1') == 1
redis.call('SPUBLISH', ARGV[1], 'end')
if is_new then redis.call('HSET', KEYS[1], 'updated', ARGV[4], 'reason', ARGV[5]) end
if is_new and ARGV[2] ~= '' then redis.call('PUBLISH', ARGV[2], ARGV[3]) end
return 1
