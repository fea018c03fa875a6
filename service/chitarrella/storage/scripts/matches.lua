-- The scripts that write matches. Each begins at a line of three dashes with its name, and is sent alone.

--- create
-- Store a new match with its first log entries: all or nothing. Returns 0 where the id is taken, or was until it was
-- deleted or archived.
-- KEYS  row, log, tokens, mark of an archived match (all in one slot)
-- ARGV  time to live in milliseconds, metadata, length, digest, position, revision, control state,
--       channel of the platform (empty for none), announcement, time, then the entries
if redis.call('EXISTS', KEYS[1], KEYS[4]) > 0 then return 0 end
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

--- append
-- Append log entries to a match, right behind the row that the writer has read: one round trip, all or nothing.
-- KEYS  row, log, tokens (all in one slot)
-- ARGV  digest read, token, time to live in milliseconds (0 to leave it), new length, new digest, position, revision,
--       control state, channel, id of the call, channel of the platform (empty for none), announcement, earlier digests,
--       time, when the turn began, details, then the entries
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
if ARGV[3] ~= '0' then
  for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[3]) end
end
redis.call('SPUBLISH', ARGV[9], ARGV[4])
if ARGV[11] ~= '' then redis.call('PUBLISH', ARGV[11], ARGV[12]) end
return {'appended'}

--- update
-- Replace what a platform attaches to a match, and perhaps its time to live, which is a change for everybody. That does not
-- move the time of a match that was aborted, which is when it ended.
-- Returns nil where there is no such match, 0 where other details stand there than the writer has read.
-- KEYS  row, log, tokens (all in one slot)
-- ARGV  details read, details, time to live in milliseconds (0 to leave it), time
local row = redis.call('HMGET', KEYS[1], 'length', 'details', 'aborted')
if not row[1] then return nil end
if (row[2] or '') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'details', ARGV[2])
if ARGV[3] ~= '0' then
  if not row[3] then redis.call('HSET', KEYS[1], 'updated', ARGV[4]) end
  for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[3]) end
end
return 1

--- abort
-- Mark a match as aborted, right behind the row that the writer has read, and renew its time to live. Returns nil where
-- there is no such match, 0 where another writer was faster.
-- KEYS  row, log, tokens (all in one slot)
-- ARGV  digest read, time to live in milliseconds, channel, channel of the platform (empty for none), announcement, time,
--       reason
local row = redis.call('HMGET', KEYS[1], 'digest', 'aborted')
if not row[1] then return nil end
if row[2] then return 1 end
if row[1] ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'aborted', '1', 'updated', ARGV[6], 'reason', ARGV[7])
for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[2]) end
redis.call('SPUBLISH', ARGV[3], 'end')
if ARGV[4] ~= '' then redis.call('PUBLISH', ARGV[4], ARGV[5]) end
return 1

--- expire
-- Let a match live for some time at least, or at most because it is archived. Returns 0 where there is none. For as long
-- as one that is archived would have lived, and a day at least, its id stays taken: a repeated request creates no other.
-- KEYS  row, log, tokens, mark of an archived match (all in one slot)
-- ARGV  milliseconds, 'GT' for at least or 'LT' for at most
if redis.call('HEXISTS', KEYS[1], 'length') == 0 then return 0 end
if ARGV[2] == 'LT' then
  redis.call('SET', KEYS[4], '', 'NX', 'PX', math.max(redis.call('PTTL', KEYS[1]), 86400000))
end
for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[1], ARGV[2]) end
return 1

--- delete
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

--- note_seen
-- Note that persons are at the table. Returns 0 where the match is gone.
-- KEYS  row; ARGV  time in milliseconds, then their seats
local row = redis.call('HMGET', KEYS[1], 'length', 'seen')
if not row[1] then return 0 end
local seen = row[2] or ''
for place = 2, #ARGV do
  seen = string.gsub(seen, ' ' .. ARGV[place] .. ':%d+', '') .. ' ' .. ARGV[place] .. ':' .. ARGV[1]
end
redis.call('HSET', KEYS[1], 'seen', seen)
return 1

--- confirm
-- Make a write that changes nothing, so that its caller can wait until all earlier writes have reached the replicas.
-- KEYS  row
local expires_at = redis.call('PEXPIRETIME', KEYS[1])
if expires_at > 0 then redis.call('PEXPIREAT', KEYS[1], expires_at) end
return 1

--- copy_match
-- Read all that is kept of a match at one moment.
-- KEYS  row, log, tokens (all in one slot)
-- Returns nothing for a match that was deleted; else the fields of the row with their values, the log, the tokens, and the time to live in milliseconds
if redis.call('HEXISTS', KEYS[1], 'length') == 0 then return {{}, {}, {}, 0} end
return {
  redis.call('HGETALL', KEYS[1]), redis.call('LRANGE', KEYS[2], 0, -1), redis.call('LRANGE', KEYS[3], 0, -1),
  redis.call('PTTL', KEYS[1])}

--- restore_match
-- Store a match as it was copied: all or nothing. Returns 0 where it exists and may not be replaced.
-- KEYS  row, log, tokens (all in one slot)
-- ARGV  '1' where it may be replaced, time to live in milliseconds (less than 1 for none), channel, number of fields,
--       number of entries, then each field and its value, the entries, and their tokens
local fields, entries = tonumber(ARGV[4]), tonumber(ARGV[5])
local row = {}
for place = 6, 4 + 2 * fields, 2 do row[ARGV[place]] = ARGV[place + 1] end
-- The same digest: this very call was carried out, and only its reply was lost.
local digest = redis.call('HGET', KEYS[1], 'digest')
if ARGV[1] ~= '1' and digest and digest ~= row['digest'] then return 0 end
-- A server without memory lets a script go on that has changed something: so the first change is one that needs memory.
for name, value in pairs(row) do redis.call('HSET', KEYS[1], name, value) end
for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
  if not row[name] then redis.call('HDEL', KEYS[1], name) end
end
redis.call('DEL', KEYS[2], KEYS[3])
local first = 6 + 2 * fields
for place = first, first + entries - 1 do
  redis.call('RPUSH', KEYS[2], ARGV[place])
  redis.call('RPUSH', KEYS[3], ARGV[place + entries])
end
for place = 1, 3 do
  if tonumber(ARGV[2]) > 0 then redis.call('PEXPIRE', KEYS[place], ARGV[2]) else redis.call('PERSIST', KEYS[place]) end
end
redis.call('SPUBLISH', ARGV[3], row['length'] or '')
return 1

--- probe
-- Try the commands that matches need, on keys of its own: an error says what the server refuses, or has not.
-- KEYS  hash, list, sorted set, string (all in one slot); ARGV  channel
redis.call('HSET', KEYS[1], 'probe', '1')
redis.call('HMGET', KEYS[1], 'probe')
redis.call('RPUSH', KEYS[2], 'probe')
redis.call('LPOS', KEYS[2], 'probe', 'RANK', -1)
redis.call('LRANGE', KEYS[2], 0, -1)
redis.call('ZADD', KEYS[3], 0, 'probe')
redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', 0, 'LIMIT', 0, 1)
redis.call('ZREVRANGEBYLEX', KEYS[3], '+', '-', 'LIMIT', 0, 1)
redis.call('ZRANGEBYLEX', KEYS[3], '-', '+', 'LIMIT', 0, 1)
redis.call('ZRANGE', KEYS[3], 0, 0)
redis.call('ZSCORE', KEYS[3], 'probe')
redis.call('ZCARD', KEYS[3])
redis.call('ZREM', KEYS[3], 'probe')
redis.call('SET', KEYS[4], 'probe')
redis.call('GET', KEYS[4])
redis.call('PEXPIRE', KEYS[1], 1000)
redis.call('SPUBLISH', ARGV[1], '')
redis.call('PUBLISH', ARGV[1], '')
return redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
