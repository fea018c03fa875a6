-- Try the commands that matches need, on keys of its own: an error says what the server refuses, or has not.
-- KEYS  hash, list, sorted set (all in one slot); ARGV  channel
redis.call('HSET', KEYS[1], 'probe', '1')
redis.call('HMGET', KEYS[1], 'probe')
redis.call('RPUSH', KEYS[2], 'probe')
redis.call('LPOS', KEYS[2], 'probe', 'RANK', -1)
redis.call('LRANGE', KEYS[2], 0, -1)
redis.call('ZADD', KEYS[3], 0, 'probe')
redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', 0, 'LIMIT', 0, 1)
redis.call('ZREVRANGEBYLEX', KEYS[3], '+', '-', 'LIMIT', 0, 1)
redis.call('ZREM', KEYS[3], 'probe')
redis.call('PEXPIRE', KEYS[1], 1000)
redis.call('PUBLISH', ARGV[1], '')
return redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
