-- Delete a match. For as long as it could have lived without a move, its id stays taken: who deletes a match and repeats
-- its request gets no other deal.
-- KEYS  row, log, tokens (all in one slot); ARGV  channel
local left = redis.call('PTTL', KEYS[1])
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
if left > 0 then
  redis.call('HSET', KEYS[1], 'deleted', '1')
  redis.call('PEXPIRE', KEYS[1], left)
end
redis.call('SPUBLISH', ARGV[1], 'end')
return 1
