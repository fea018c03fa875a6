-- Delete a webhook with its queue and its deliveries.
-- KEYS  webhooks, version, queue, lines, deliveries (all in one slot); ARGV  id, new version
redis.call('DEL', KEYS[3], KEYS[4], KEYS[5])
if redis.call('HDEL', KEYS[1], ARGV[1]) == 1 then redis.call('SET', KEYS[2], ARGV[2]) end
return 1
