-- Earlier versions stored two results of an item when two claims of its job shared a commit. No item shows the first one: it is
-- hidden here, so that the next sweep removes it. Takes about 2 seconds for each million chunks.
insert into hidden_range (first_chunk_id, last_chunk_id, account_key)
select min(chunk_id), max(chunk_id), account_key from chunk
where not exists (
  select 1 from item
  where item.item_key = chunk.item_key and chunk.chunk_id between item.first_chunk_id and item.last_chunk_id
) and not exists (
  select 1 from hidden_range as hidden where chunk.chunk_id between hidden.first_chunk_id and hidden.last_chunk_id
)
group by account_key, item_key, chunk_id - ordinal;

-- Both results were counted.
update account
set (memory_count, chunk_count, body_term_count) = (
  select coalesce(sum(item.memory_count), 0), coalesce(sum(item.last_chunk_id - item.first_chunk_id + 1), 0),
    coalesce(sum(item.body_term_count), 0)
  from item where item.account_key = account.account_key
)
where deleting_since is null;
