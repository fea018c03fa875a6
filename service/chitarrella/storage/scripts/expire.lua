-- Let a match live for some time at least, or at most. Returns 0 where there is none.
-- KEYS  row, log, tokens (all in one slot); ARGV  milliseconds, 'GT' for at least or 'LT' for at most
for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[1], ARGV[2]) end
return redis.call('EXISTS', KEYS[1])
