-- The scripts of webhooks and of their deliveries, each from a line of three dashes on.

--- create_webhook
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

--- replace_webhook
-- Replace a webhook that nobody has changed since it was read. Returns 0 where somebody has. A webhook that is the new one
-- already counts as replaced: the same script may be sent twice.
-- KEYS  webhooks, version (in one slot); ARGV  id, webhook read, new webhook, new version
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if kept == ARGV[3] then return 1 end
if kept ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('SET', KEYS[2], ARGV[4])
return 1

--- delete_webhook
-- Delete a webhook with its queue and its deliveries.
-- KEYS  webhooks, version, queue, lines, deliveries (all in one slot); ARGV  id, new version
redis.call('DEL', KEYS[3], KEYS[4], KEYS[5])
if redis.call('HDEL', KEYS[1], ARGV[1]) == 1 then redis.call('SET', KEYS[2], ARGV[2]) end
return 1

--- put_delivery
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

--- outbox
-- Lease and settle the deliveries of a webhook, so that no message of a match overtakes an earlier one, at any worker.
-- KEYS  queue, lines (in one slot); lines is a hash that holds, for each match, its deliveries that are not settled, each
--       as "id start stop;", the oldest first; its field "@" is the id up to which the queue was read into it
-- ARGV  consumer group, consumer, what to do, and
--         "new", ids that the consumer has leased: it keeps those that may be sent, and puts the others back
--         "due", id to look from, how many are looked at, how many are leased at most, pauses after 1, 2, ... tries
--         "settle", id, match: it is done; the next one of the match is leased, unless a worker has it
-- Returns false where there is no queue | for "due" the id to look from the next time | for the others ''
--       ; then, one each, id, fields, tries of what is leased
-- A delivery that was put back belongs to the consumer "waiting"; its next lease is not counted as another try.
local queue, lines, group, consumer = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local found = {''}

local function read_queue()
  local last = redis.call('HGET', lines, '@')
  repeat
    local entries = redis.call('XRANGE', queue, last and '(' .. last or '-', '+', 'COUNT', 500)
    for _, entry in ipairs(entries) do
      local fields = {}
      for place = 1, #entry[2], 2 do fields[entry[2][place]] = entry[2][place + 1] end
      last = entry[1]
      if not fields['record'] then  -- what is sent again on request waits for nothing
        local line = redis.call('HGET', lines, fields['match']) or ''
        line = line .. last .. ' ' .. fields['start'] .. ' ' .. fields['stop'] .. ';'
        redis.call('HSET', lines, fields['match'], line)
      end
    end
    if #entries > 0 then redis.call('HSET', lines, '@', last) end
  until #entries == 0
end

local function read_queue_again()
  redis.call('DEL', lines)
  read_queue()
end

-- The ids of a line whose messages may be sent, in order: nothing before them is missing. One that starts before
-- another stops reports the same entries, because its writer had read the log before those were appended.
local function first_of(match)
  local line, free, moves, stopped = redis.call('HGET', lines, match) or '', {}, 0, math.huge
  while line ~= '' and #redis.call('XRANGE', queue, string.match(line, '^%S+'), string.match(line, '^%S+')) == 0 do
    line = string.gsub(line, '^[^;]*;', '')
    redis.call('HSET', lines, match, line)
  end
  if line == '' then redis.call('HDEL', lines, match) end
  for _, start in string.gmatch(line, '(%S+) (%S+) [^;]+;') do
    if tonumber(start) >= 0 then moves = moves + 1 end
  end
  for id, start, stop in string.gmatch(line, '(%S+) (%S+) ([^;]+);') do
    if tonumber(start) < 0 then  -- the match was aborted: after all moves, also those that were queued later
      if moves == 0 then table.insert(free, id) end
    else
      if tonumber(start) < stopped then table.insert(free, id) end
      stopped = math.min(stopped, tonumber(stop))
    end
  end
  return free
end

local known = {}

local function may_be_sent(id)
  local entry = redis.call('XRANGE', queue, id, id)[1]
  if not entry then return false end
  local fields = {}
  for place = 1, #entry[2], 2 do fields[entry[2][place]] = entry[2][place + 1] end
  if fields['record'] then return true end
  local match = fields['match']
  if not string.find(redis.call('HGET', lines, match) or '', id .. ' ', 1, true) then  -- a part of the store was lost
    read_queue_again()
    known = {}
  end
  if not known[match] then
    known[match] = {}
    for _, first in ipairs(first_of(match)) do known[match][first] = true end
  end
  return known[match][id] or false
end

local function lease(pending)
  local tries = pending[4] + (pending[2] == 'waiting' and 0 or 1)
  local entry = redis.call('XCLAIM', queue, group, consumer, 0, pending[1], 'RETRYCOUNT', tries)[1]
  if entry then table.insert(found, {entry[1], entry[2], tries}) end
end

if redis.call('EXISTS', queue) == 0 then return false end
if ARGV[3] == 'settle' then
  redis.call('XACK', queue, group, ARGV[4])
  redis.call('XDEL', queue, ARGV[4])
  local line = redis.call('HGET', lines, ARGV[5]) or ''
  local place = string.find(line, ARGV[4] .. ' ', 1, true)
  if place then
    line = string.sub(line, 1, place - 1) .. string.sub(line, string.find(line, ';', place, true) + 1)
    redis.call('HSET', lines, ARGV[5], line)
  end
  for _, id in ipairs(first_of(ARGV[5])) do
    local pending = redis.call('XPENDING', queue, group, id, id, 1)[1]
    if pending and pending[2] == 'waiting' then
      lease(pending)
      break
    end
  end
  return found
end
if redis.call('HLEN', lines) > redis.call('XLEN', queue) + 1 then
  read_queue_again()  -- a worker of an older release does not take what it settles out of its line
else
  read_queue()
end
if ARGV[3] == 'new' then
  for place = 4, #ARGV do
    local id = ARGV[place]
    if may_be_sent(id) then
      table.insert(found, {id, redis.call('XRANGE', queue, id, id)[1][2], 1})
    else
      redis.call('XCLAIM', queue, group, 'waiting', 0, id, 'RETRYCOUNT', 1, 'JUSTID')
    end
  end
  return found
end
local rows = redis.call('XPENDING', queue, group, ARGV[4], '+', ARGV[5])
if #rows == tonumber(ARGV[5]) then found[1] = '(' .. rows[#rows][1] else found[1] = '-' end
for _, pending in ipairs(rows) do
  local pause = tonumber(ARGV[math.min(6 + pending[4], #ARGV)])
  if (pending[2] == 'waiting' or pending[3] >= pause) and may_be_sent(pending[1]) then
    if #found > tonumber(ARGV[6]) then
      found[1] = '-'
      break
    end
    lease(pending)
  end
end
return found
