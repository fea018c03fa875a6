-- Read all that is kept of a match at one moment.
-- KEYS  row, log, tokens (all in one slot)
-- Returns nothing for a match that was deleted; else the fields of the row with their values, the log, the tokens, and the time to live in milliseconds
if redis.call('HEXISTS', KEYS[1], 'length') == 0 then return {{}, {}, {}, 0} end
return {
  redis.call('HGETALL', KEYS[1]), redis.call('LRANGE', KEYS[2], 0, -1), redis.call('LRANGE', KEYS[3], 0, -1),
  redis.call('PTTL', KEYS[1])}
