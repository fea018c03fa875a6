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
