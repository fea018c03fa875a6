-- Let a match live for some time at least.
-- KEYS  row, log, tokens (all in one slot); ARGV  milliseconds
for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[1], 'GT') end
return 1
