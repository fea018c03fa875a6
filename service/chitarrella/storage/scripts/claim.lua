-- Claim matches that are due: each is due again at the end of the lease, unless it is rescheduled before.
-- KEYS  schedule; ARGV  now, end of the lease, how many at most
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, match in ipairs(due) do redis.call('ZADD', KEYS[1], ARGV[2], match) end
return due
