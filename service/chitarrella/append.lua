-- Add moves to a match, right behind the page that the writer had read; one round trip, all or nothing.
-- KEYS  page, log, requests (all in one slot)
-- ARGV  tag read, request, milliseconds to live, number, tag, position, revision,
--       affairs, channel, then the moves
-- Answers {"added"} | {"again", place} | {"gone"} | {"moved", header, number, tag, position, revision, ended, affairs}
if ARGV[2] ~= '' then
  local place = redis.call('LPOS', KEYS[3], ARGV[2], 'RANK', -1)
  if place then return {'again', place} end
end
local page = redis.call('HMGET', KEYS[1], 'h', 'n', 't', 'p', 'r', 'e', 'a')
if not page[2] then return {'gone'} end
if page[3] ~= ARGV[1] or page[6] then
  return {'moved', page[1], page[2], page[3], page[4], page[5], page[6] or '', page[7] or ''}
end
redis.call('HSET', KEYS[1], 'n', ARGV[4], 't', ARGV[5], 'p', ARGV[6], 'r', ARGV[7], 'a', ARGV[8])
for place = 10, #ARGV do
  redis.call('RPUSH', KEYS[2], ARGV[place])
  redis.call('RPUSH', KEYS[3], place == 10 and ARGV[2] or '')
end
for place = 1, 3 do redis.call('PEXPIRE', KEYS[place], ARGV[3]) end
redis.call('PUBLISH', ARGV[9], ARGV[4])
return {'added'}
