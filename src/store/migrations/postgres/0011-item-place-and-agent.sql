-- Programs of format 4 and later go on.
-- The repository, folder, project or channel that an item is from: questions can be limited to it
alter table item add column place text collate "C";
create index item_place on item (account_key, place) where place is not null;
update item set place = (
  select memory.content::json ->> 'where' from memory
  where memory.account_key = item.account_key and memory.item_key = item.item_key
    and memory.first_chunk_id between item.first_chunk_id and item.last_chunk_id
  limit 1
);
-- The agent that wrote it, by a tool; null for everything else
alter table item add column agent text;
