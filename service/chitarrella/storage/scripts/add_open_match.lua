-- Count an open match of an owner, unless there are as many as there may be. An owner whose matches should all have
-- expired long ago is forgotten by itself.
-- KEYS  open matches of the owner, by the time at which each will have expired
-- ARGV  match, that time, how many there may be, now, how many to return; times in milliseconds
-- Returns 1 where the match is counted, else 0, and then matches whose time has passed.
local is_counted = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not is_counted and redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[3]) then
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
  is_counted = true
end
local left = math.max(0, 2 * (ARGV[2] - ARGV[4]))
if redis.call('PTTL', KEYS[1]) < left then redis.call('PEXPIRE', KEYS[1], left) end
return {is_counted and 1 or 0,
  unpack(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[4], 'LIMIT', 0, ARGV[5]))}
