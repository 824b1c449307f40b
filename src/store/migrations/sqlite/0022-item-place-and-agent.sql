-- The repository, folder, project or channel that an item is from: questions can be limited to it
alter table item add column place text;
create index item_place on item (account_key, place) where place is not null;
update item set place = (
  select json_extract(memory.content, '$.where') from memory
  where memory.first_chunk_id between item.first_chunk_id and item.last_chunk_id and memory.item_key = item.item_key
  limit 1
);
-- The agent that wrote it, by a tool; null for everything else
alter table item add column agent text;
