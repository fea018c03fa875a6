-- Queue the search for a match behind the others of its owner; one that waits already keeps its place.
-- KEYS  entries, times, owners, passes, virtual time (all in one slot); ARGV  match, owner, now, entry
-- An entry is "OWNER TIME EXPECTED MATCH": those of one owner sort by time.
if redis.call('ZADD', KEYS[2], 'NX', ARGV[3], ARGV[1]) == 0 then return 0 end
redis.call('ZADD', KEYS[1], 0, ARGV[4])
if not redis.call('ZSCORE', KEYS[3], ARGV[2]) then
  local virtual = tonumber(redis.call('GET', KEYS[5]) or 0)
  redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', virtual)
  redis.call('ZADD', KEYS[3], tonumber(redis.call('ZSCORE', KEYS[4], ARGV[2]) or virtual), ARGV[2])
end
return 1
