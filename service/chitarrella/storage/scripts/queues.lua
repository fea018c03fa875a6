-- The scripts that claim due matches, queue searches and count open matches, each from a line of three dashes on.

--- claim
-- Claim matches that are due: each is due again at the end of the lease, unless it is rescheduled before.
-- KEYS  schedule; ARGV  now, end of the lease, how many at most
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, match in ipairs(due) do redis.call('ZADD', KEYS[1], ARGV[2], match) end
return due

--- settle
-- Remove a match that was claimed, unless it was queued anew since.
-- KEYS  queue; ARGV  match, end of the lease
if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '-1') ~= tonumber(ARGV[2]) then return 0 end
return redis.call('ZREM', KEYS[1], ARGV[1])

--- put_search
-- Queue the search for a match behind the others of its owner; one that waits already keeps its place.
-- KEYS  owners, times, matches of the owner (all in one slot); ARGV  owner, match, now
redis.call('ZADD', KEYS[3], 'NX', ARGV[3], ARGV[2])
redis.call('ZADD', KEYS[2], 'NX', ARGV[3], ARGV[2])
return redis.call('SADD', KEYS[1], ARGV[1])

--- claim_search
-- Take the oldest search of an owner out of the queue, and report what waits behind it; '' for an owner takes none.
-- KEYS  as of put_search; ARGV  owner, how many owners at most
-- Returns {match or '', owners that wait, how many searches wait, when the oldest of them was queued or 0}
local match = redis.call('ZRANGE', KEYS[3], 0, 0)[1]
if match then
  redis.call('ZREM', KEYS[3], match)
  redis.call('ZREM', KEYS[2], match)
end
if redis.call('ZCARD', KEYS[3]) == 0 then redis.call('SREM', KEYS[1], ARGV[1]) end
local oldest = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
local owners = redis.call('SRANDMEMBER', KEYS[1], ARGV[2])
return {match or '', owners, redis.call('ZCARD', KEYS[2]), tonumber(oldest or 0)}

--- add_open_match
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
