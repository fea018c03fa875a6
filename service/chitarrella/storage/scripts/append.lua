-- Append log entries to a match, right behind the row that the writer has read: one round trip, all or nothing.
-- KEYS  row, log, tokens (all in one slot)
-- ARGV  digest read, token, time to live in milliseconds, new length, new digest, position, revision, control state,
--       channel, id of the call, channel of the platform (empty for none), announcement, earlier digests, time,
--       when the turn began, details, then the entries
-- Returns {"appended"}, also where this very call was carried out and only its reply was lost
--       | {"duplicate", place in the log} where another call with this token was | {"missing"}
--       | {"conflict", metadata, length, digest, position, revision, aborted, control state, earlier digests, time,
--          details, reason, when the turn began, when persons were seen}
local row = redis.call(
  'HMGET', KEYS[1], 'metadata', 'length', 'digest', 'position', 'revision', 'aborted', 'control', 'calls', 'earlier',
  'updated', 'details', 'reason', 'turn_since')
local calls = row[8] or ''
if ARGV[2] ~= '' then
  local place = redis.call('LPOS', KEYS[3], ARGV[2], 'RANK', -1)
  if place then
    if string.find(calls, ARGV[10], 1, true) then return {'appended'} end
    return {'duplicate', place}
  end
end
if not row[2] then return {'missing'} end
if row[3] ~= ARGV[1] or row[6] or (row[11] or '') ~= ARGV[16] then
  return {'conflict', row[1], row[2], row[3], row[4], row[5], row[6] or '', row[7] or '', row[9] or '', row[10] or '',
    row[11] or '', row[12] or '', row[13] or '', redis.call('HGET', KEYS[1], 'seen') or ''}
end
-- The ids of the last eight calls are enough: a call is sent again at once.
redis.call('HSET', KEYS[1],
  'length', ARGV[4], 'digest', ARGV[5], 'position', ARGV[6], 'revision', ARGV[7], 'control', ARGV[8], 'earlier', ARGV[13],
  'updated', ARGV[14], 'turn_since', ARGV[15],
  'calls', string.sub(calls .. ' ' .. ARGV[10], -8 * (#ARGV[10] + 1)))
for place = 17, #ARGV do
  redis.call('RPUSH', KEYS[2], ARGV[place])
  redis.call('RPUSH', KEYS[3], place == 17 and ARGV[2] or '')
end
for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[3]) end
redis.call('SPUBLISH', ARGV[9], ARGV[4])
if ARGV[11] ~= '' then redis.call('PUBLISH', ARGV[11], ARGV[12]) end
return {'appended'}
