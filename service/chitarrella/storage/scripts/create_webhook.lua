-- Keep a new webhook and begin its queue: all or nothing. Returns what is kept under the id, '' where its platform has
-- as many as it may have.
-- KEYS  webhooks, version, queue, lines (all in one slot)
-- ARGV  id, webhook, platform, how many a platform may have, new version, consumer group
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if kept then return kept end
local count = 0
for _, text in ipairs(redis.call('HVALS', KEYS[1])) do
  if cjson.decode(text)['platform'] == ARGV[3] then count = count + 1 end
end
if count >= tonumber(ARGV[4]) then return '' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('DEL', KEYS[3], KEYS[4])
redis.call('XGROUP', 'CREATE', KEYS[3], ARGV[6], '0', 'MKSTREAM')
redis.call('SET', KEYS[2], ARGV[5])
return ARGV[2]
