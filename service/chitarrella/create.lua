-- Put down a new match; all or nothing.
-- KEYS  page, log, requests (all in one slot)
-- ARGV  milliseconds to live, header, number, tag, position, revision, affairs, then the moves
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('DEL', KEYS[2], KEYS[3])
redis.call('HSET', KEYS[1], 'h', ARGV[2], 'n', ARGV[3], 't', ARGV[4], 'p', ARGV[5], 'r', ARGV[6], 'a', ARGV[7])
for place = 8, #ARGV do
  redis.call('RPUSH', KEYS[2], ARGV[place])
  redis.call('RPUSH', KEYS[3], '')
end
for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[1]) end
return 1
