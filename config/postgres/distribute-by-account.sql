-- Distributes the large tables of recalld over several servers with Citus: those of one account are on one server.
-- docs/scaling-postgresql.md explains when this helps, and how to prepare the servers.
--
--   psql --set shards=32 --file distribute-by-account.sql postgres://...
--
-- Stop every recalld process first, and back up. Runs in one transaction on the coordinator, and compares the numbers of rows.
-- Run it again to see that all is done.

\set ON_ERROR_STOP on
\if :{?shards}
\else
  \set shards 32
\endif

begin;

select set_config('recalld.shards', :'shards', true);
set local statement_timeout = 0;

do $$
declare
  shards constant integer := current_setting('recalld.shards');
  running integer;
  servers integer;
  name text;
  counted bigint;
  counts jsonb := '{}';
  tables constant text[] := array[
    'item', 'body', 'chunk', 'chunk_text', 'chunk_terms', 'chunk_vector', 'memory', 'qa', 'vocabulary', 'embedding'
  ];
begin
  if shards not between 1 and 1024 then
    raise exception 'shards must be a number from 1 to 1024, not %', shards;
  end if;
  if to_regclass('recalld_format') is null then
    raise exception 'this database has no recalld tables: start recalld with it first';
  end if;
  if (select max(version) from recalld_format) < 18 then
    raise exception 'this database is of an older version: start this version of recalld with it first';
  end if;
  if to_regclass('recalld_move') is not null then
    raise exception 'a move into this database is not finished: run "recalld migrate-store" again first';
  end if;
  if not exists (select from pg_extension where extname = 'citus') then
    raise exception 'this database has no extension "citus": create it on every server first';
  end if;
  select count(*) into servers from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards and groupid > 0;
  if servers = 0 then
    raise exception 'no server was added: call citus_set_coordinator_host and citus_add_node first';
  end if;
  if exists (select from pg_dist_partition where logicalrelid = 'item'::regclass) then
    raise notice 'the tables are already distributed';
    return;
  end if;
  if (select relkind from pg_class where oid = 'item'::regclass) = 'p' then
    raise exception 'the tables are split into hash partitions: that can not be combined with Citus';
  end if;
  select count(*) into running from pg_stat_activity
  where datname = current_database() and application_name = 'recalld news' and pid <> pg_backend_pid();
  if running > 0 then
    raise exception 'recalld uses this database (% processes): stop them first', running;
  end if;

  foreach name in array tables loop
    execute format('lock table %I in access exclusive mode', name);
    execute format('select count(*) from %I', name) into counted;
    counts := counts || jsonb_build_object(name, counted);
  end loop;

  -- Graphs of large accounts belong to one table.
  for name in select relname from pg_class where relkind = 'i' and relname ~ '^embedding_\d+_graph_\d+$' loop
    execute format('drop index %I', name);
  end loop;
  -- Tables on the coordinator can not refer to distributed ones, nor these to them. recalld deletes what belongs to an item itself.
  alter table item drop constraint item_account_key_fkey;
  alter table item_tag drop constraint item_tag_item_key_account_key_fkey;
  -- Without an index that begins with the plain account, words are found by their own index (`search-filter.ts`).
  alter table chunk_terms drop constraint chunk_terms_pkey;
  alter table chunk_terms add primary key (chunk_id, account_key);
  create index chunk_terms_newest on chunk_terms ((account_key + 0), chunk_id);

  -- Citus accepts no volatile function in an update.
  create function last_commit_number() returns bigint language sql stable as 'select currval(''commit_number'')';

  -- Citus advises to remove the rows that stay behind, which happens below.
  set local client_min_messages = warning;
  perform create_distributed_table('item', 'account_key', shard_count => shards);
  foreach name in array tables loop
    continue when name = 'item';
    perform create_distributed_table(name, 'account_key', colocate_with => 'item');
  end loop;
  set local client_min_messages = notice;

  foreach name in array tables loop
    execute format('select count(*) from %I', name) into counted;
    if counted <> (counts ->> name)::bigint then
      raise exception '% has % rows after it was distributed, and had % before', name, counted, counts ->> name;
    end if;
    raise notice '%: % rows before and after', name, counted;
    -- The rows that were here before the distribution.
    execute format('select truncate_local_data_after_distributing_table(%L)', name);
  end loop;
end $$;

commit;
