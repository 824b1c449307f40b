-- Vectors are read from an index that has those of an account next to each other (`postgres/vector-writer.ts`); the graph that
-- all accounts shared goes. Takes about 5 seconds for each million vectors.
alter table embedding add column signs bit varying;
drop index embedding_filter;

do $$
declare
  part record;
  length integer;
begin
  for part in
    select relname as name, substring(relname from '\d+$')::bigint as space_key
    from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'embedding'::regclass
  loop
    execute format('drop index if exists %I', part.name || '_nearest');
    execute format('select vector_dims(embedding) from %I limit 1', part.name) into length;
    length := coalesce(length, (select dimensions from space where space.space_key = part.space_key));
    if length is null then
      -- Made again before its first vector.
      execute format('drop table %I', part.name);
    elsif length <= 1280 then
      execute format('create index %I on %I (account_key, source, at) include (chunk_id, space_key, embedding)',
        part.name || '_compared', part.name);
    else
      execute format('update %I set signs = binary_quantize(embedding)', part.name);
      execute format('create index %I on %I (account_key, source, at) include (chunk_id, space_key, signs)',
        part.name || '_compared', part.name);
    end if;
  end loop;
end $$;
