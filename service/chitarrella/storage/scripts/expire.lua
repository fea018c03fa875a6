-- Let a match live for some time at least, or at most. Returns 0 where there is none.
-- KEYS  row, log, tokens (all in one slot); ARGV  milliseconds, 'GT' for at least or 'LT' for at most
if redis.call('HEXISTS', KEYS[1], 'length') == 0 then return 0 end
for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[1], ARGV[2]) end
return 1
