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
