-- Queue the search for a match behind the others of its owner; one that waits already keeps its place.
-- KEYS  owners, times, matches of the owner (all in one slot); ARGV  owner, match, now
redis.call('ZADD', KEYS[3], 'NX', ARGV[3], ARGV[2])
redis.call('ZADD', KEYS[2], 'NX', ARGV[3], ARGV[2])
return redis.call('SADD', KEYS[1], ARGV[1])
