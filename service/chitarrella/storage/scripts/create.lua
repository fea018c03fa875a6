-- Store a new match with its first log entries: all or nothing. Returns 0 where the id is taken, or was until it was
-- deleted.
-- KEYS  row, log, tokens (all in one slot)
-- ARGV  time to live in milliseconds, metadata, length, digest, position, revision, control state,
--       channel of the platform (empty for none), announcement, time, then the entries
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
-- A server without memory lets a script go on that has changed something: so the first change is one that needs memory.
redis.call('HSET', KEYS[1], 'metadata', ARGV[2],
  'length', ARGV[3], 'digest', ARGV[4], 'position', ARGV[5], 'revision', ARGV[6], 'control', ARGV[7],
  'updated', ARGV[10], 'turn_since', ARGV[10])
redis.call('DEL', KEYS[2], KEYS[3])
for place = 11, #ARGV do
  redis.call('RPUSH', KEYS[2], ARGV[place])
  redis.call('RPUSH', KEYS[3], '')
end
for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[1]) end
if ARGV[8] ~= '' then redis.call('PUBLISH', ARGV[8], ARGV[9]) end
return 1
