-- Take the oldest search of an owner out of the queue, and report what waits behind it; '' for an owner takes none.
-- KEYS  as in put_search.lua; ARGV  owner, how many owners at most
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
