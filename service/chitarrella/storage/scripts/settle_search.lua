-- Charge an owner by how much a search took longer than expected.
-- KEYS  as in put_search.lua; ARGV  owner, milliseconds, negative where it took less
local pass = tonumber(redis.call('ZSCORE', KEYS[4], ARGV[1]) or redis.call('GET', KEYS[5]) or 0)
redis.call('ZADD', KEYS[4], pass + ARGV[2], ARGV[1])
if redis.call('ZSCORE', KEYS[3], ARGV[1]) then redis.call('ZADD', KEYS[3], 'XX', 'INCR', ARGV[2], ARGV[1]) end
return 1
