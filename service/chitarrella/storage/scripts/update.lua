-- Replace what a platform attaches to a match, and renew its time to live.
-- Returns nil where there is no such match, 0 where other details stand there than the writer has read.
-- KEYS  row, log, tokens (all in one slot);  ARGV  details read, details, time to live in milliseconds
local row = redis.call('HMGET', KEYS[1], 'length', 'details')
if not row[1] then return nil end
if (row[2] or '') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'details', ARGV[2])
for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[3]) end
return 1
