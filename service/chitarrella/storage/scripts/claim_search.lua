-- Take the oldest search of the owner with the least pass out of the queue, and charge what it is expected to take.
-- KEYS  as in put_search.lua
-- Returns {match, owner, expected, how many wait now, when the oldest of them was queued}; empty texts for no match
local owner, pass = unpack(redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES'))
local entries = owner and redis.call('ZRANGEBYLEX', KEYS[1], '[' .. owner .. ' ', '(' .. owner .. '!', 'LIMIT', 0, 2) or {}
if not entries[1] then
  -- Where a key was lost, begin anew: the schedule has the matches, and queues them again.
  if owner or redis.call('ZCARD', KEYS[2]) > 0 then redis.call('DEL', KEYS[1], KEYS[2], KEYS[3]) end
  return {'', '', 0, 0, 0}
end
local expected, match = string.match(entries[1], '^%S+ %d+ (%d+) (%S+)$')
redis.call('ZREM', KEYS[1], entries[1])
redis.call('ZREM', KEYS[2], match)
redis.call('SET', KEYS[5], math.max(tonumber(pass), tonumber(redis.call('GET', KEYS[5]) or 0)))
redis.call('ZADD', KEYS[4], pass + expected, owner)
if entries[2] then redis.call('ZADD', KEYS[3], pass + expected, owner) else redis.call('ZREM', KEYS[3], owner) end
local oldest = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
return {match, owner, tonumber(expected), redis.call('ZCARD', KEYS[1]), tonumber(oldest[2] or 0)}
