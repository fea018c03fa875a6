-- Let a match live for some time at most. Returns 0 where there is none.
-- KEYS  row, log, tokens (all in one slot); ARGV  milliseconds
for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[1], 'LT') end
return redis.call('EXISTS', KEYS[1])
