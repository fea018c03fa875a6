-- Keep the record of a delivery in place of the one with the same id, and drop the oldest and those that are too old.
-- KEYS  webhooks, deliveries (in one slot)
-- ARGV  id of the webhook that must exist, '' for none; id of the delivery, record, how many are kept, least id that is
--       kept, time to live in milliseconds
if ARGV[1] ~= '' and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('ZREMRANGEBYLEX', KEYS[2], '[' .. ARGV[2] .. ' ', '(' .. ARGV[2] .. '!')
redis.call('ZADD', KEYS[2], 0, ARGV[3])
redis.call('ZREMRANGEBYLEX', KEYS[2], '-', '(' .. ARGV[5])
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
return 1
