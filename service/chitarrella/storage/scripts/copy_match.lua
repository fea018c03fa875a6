-- Read all that is kept of a match at one moment.
-- KEYS  row, log, tokens (all in one slot)
-- Returns the fields of the row with their values, the log, the tokens, and the time to live in milliseconds
return {
  redis.call('HGETALL', KEYS[1]), redis.call('LRANGE', KEYS[2], 0, -1), redis.call('LRANGE', KEYS[3], 0, -1),
  redis.call('PTTL', KEYS[1])}
