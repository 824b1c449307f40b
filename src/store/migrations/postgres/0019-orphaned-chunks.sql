-- Earlier versions stored two results of an item when two claims of its job shared a commit. No item shows the first one: it is
-- hidden here, so that the next sweep removes it. No earlier version can go on meanwhile, because what it is writing looks alike.
-- Takes about 2 seconds for each million chunks. In loops, so that Citus reads distributed tables alone.
do $$
declare
  orphan record;
begin
  for orphan in
    select min(chunk_id) as first, max(chunk_id) as last, account_key from chunk
    where not exists (
      select from item
      where item.account_key = chunk.account_key and item.item_key = chunk.item_key
        and chunk.chunk_id between item.first_chunk_id and item.last_chunk_id
    )
    group by account_key, item_key, chunk_id - ordinal
  loop
    insert into hidden_range (first_chunk_id, last_chunk_id, account_key)
    select orphan.first, orphan.last, orphan.account_key
    where not exists (select from hidden_range where orphan.first between first_chunk_id and last_chunk_id);
  end loop;
end $$;

-- Both results were counted.
do $$
declare
  keys bigint[];
  memories bigint[];
  chunks bigint[];
  terms bigint[];
begin
  select array_agg(account_key), array_agg(memory_count), array_agg(chunk_count), array_agg(body_term_count)
  into keys, memories, chunks, terms
  from (
    select account_key, sum(memory_count)::bigint as memory_count,
      sum(last_chunk_id - first_chunk_id + 1)::bigint as chunk_count, sum(body_term_count)::bigint as body_term_count
    from item group by account_key
  ) as held;
  update account
  set memory_count = coalesce(held.memory_count, 0), chunk_count = coalesce(held.chunk_count, 0),
    body_term_count = coalesce(held.body_term_count, 0)
  from account as every
  left join unnest(keys, memories, chunks, terms) as held (account_key, memory_count, chunk_count, body_term_count)
    on held.account_key = every.account_key
  where every.account_key = account.account_key and account.deleting_since is null;
end $$;
