-- Append log entries to a match, right behind the row that the writer has read: one round trip, all or nothing.
-- KEYS  row, log, tokens (all in one slot)
-- ARGV  digest read, token, time to live in milliseconds, new length, new digest, position, revision, control state,
--       channel, then the entries
-- Returns {"appended"} | {"duplicate", place in the log} | {"missing"}
--       | {"conflict", metadata, length, digest, position, revision, aborted, control state}
if ARGV[2] ~= '' then
  local place = redis.call('LPOS', KEYS[3], ARGV[2], 'RANK', -1)
  if place then return {'duplicate', place} end
end
local row = redis.call(
  'HMGET', KEYS[1], 'metadata', 'length', 'digest', 'position', 'revision', 'aborted', 'control')
if not row[2] then return {'missing'} end
if row[3] ~= ARGV[1] or row[6] then
  return {'conflict', row[1], row[2], row[3], row[4], row[5], row[6] or '', row[7] or ''}
end
redis.call('HSET', KEYS[1],
  'length', ARGV[4], 'digest', ARGV[5], 'position', ARGV[6], 'revision', ARGV[7], 'control', ARGV[8])
for place = 10, #ARGV do
  redis.call('RPUSH', KEYS[2], ARGV[place])
  redis.call('RPUSH', KEYS[3], place == 10 and ARGV[2] or '')
end
for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[3]) end
redis.call('PUBLISH', ARGV[9], ARGV[4])
return {'appended'}
