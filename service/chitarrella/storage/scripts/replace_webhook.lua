-- Replace a webhook that nobody has changed since it was read. Returns 0 where somebody has. A webhook that is the new one
-- already counts as replaced: the same script may be sent twice.
-- KEYS  webhooks, version (in one slot); ARGV  id, webhook read, new webhook, new version
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if kept == ARGV[3] then return 1 end
if kept ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('SET', KEYS[2], ARGV[4])
return 1
