-- Splits the large tables of recalld into hash partitions by account. Indexes become smaller, and each partition can be
-- vacuumed, moved to another disk or rebuilt separately. docs/scaling-postgresql.md explains when this helps.
--
--   psql --set partitions=16 --file partition-by-account.sql postgres://...
--
-- Stop every recalld process first. Needs free space for a copy of the largest table. Runs in one transaction. Run it again to
-- split new tables, such as the vectors of a model added later.

\set ON_ERROR_STOP on
\if :{?partitions}
\else
  \set partitions 16
\endif

begin;

select set_config('recalld.partitions', :'partitions', true);
set local statement_timeout = 0;

do $$
declare
  partitions constant integer := current_setting('recalld.partitions');
  running integer;
begin
  if partitions not between 2 and 1024 then
    raise exception 'partitions must be a number from 2 to 1024, not %', partitions;
  end if;
  if to_regclass('recalld_format') is null then
    raise exception 'this database has no recalld tables: start recalld with it first';
  end if;
  if to_regclass('recalld_move') is not null then
    raise exception 'a move into this database is not finished: run "recalld migrate-store" again first';
  end if;
  select count(*) into running from pg_stat_activity
  where datname = current_database() and application_name = 'recalld news' and pid <> pg_backend_pid();
  if running > 0 then
    raise exception 'recalld uses this database (% processes): stop them first', running;
  end if;
end $$;

-- Recreates `name` as a partitioned table with its rows, keys and indexes. All names stay the same, as later migrations
-- expect.
create function pg_temp.split(name text, partitions integer) returns void language plpgsql as $$
declare
  old constant text := name || '_whole';
  is_split boolean;
  parts integer;
  options text;
  definitions text[];
  referring text[];
  statement text;
  found record;
begin
  select relkind = 'p', (select count(*) from pg_inherits where inhparent = pg_class.oid)
  into is_split, parts from pg_class where oid = name::regclass;
  if is_split and parts = partitions then
    raise notice '% is already split', name;
    return;
  elsif is_split then
    raise exception '% is already split into % partitions, not %: the number cannot be changed here', name, parts, partitions;
  end if;

  select 'with (' || array_to_string(reloptions, ', ') || ')' into options
  from pg_class where oid = name::regclass and reloptions is not null;
  select array_agg(definition order by place, oid) into definitions
  from (
    select
      1 as place,
      oid,
      format('alter table %I add constraint %I %s', name, conname, pg_get_constraintdef(oid)) as definition
    from pg_constraint where conrelid = name::regclass and contype in ('p', 'u', 'f', 'c')
    union all
    select 2, indexrelid, pg_get_indexdef(indexrelid)
    from pg_index
    where indrelid = name::regclass
      and not exists (select 1 from pg_constraint where conindid = indexrelid and conrelid = indrelid)
  ) as made;

  -- Foreign keys of other tables, which would keep the old table.
  select coalesce(
    array_agg(format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))), '{}')
  into referring
  from pg_constraint where confrelid = name::regclass and conrelid <> confrelid and contype = 'f';
  for found in
    select conrelid::regclass as referring_table, conname from pg_constraint
    where confrelid = name::regclass and conrelid <> confrelid and contype = 'f'
  loop
    execute format('alter table %s drop constraint %I', found.referring_table, found.conname);
  end loop;

  -- Renames the old table with its constraints and indexes, so that the new one can have their names.
  execute format('alter table %I rename to %I', name, old);
  for found in select conname from pg_constraint where conrelid = old::regclass loop
    execute format('alter table %I rename constraint %I to %I', old, found.conname, left(found.conname, 57) || '_whole');
  end loop;
  for found in
    select relname from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = old::regclass
      and not exists (select 1 from pg_constraint where conindid = indexrelid and conrelid = indrelid)
  loop
    execute format('alter index %I rename to %I', found.relname, left(found.relname, 57) || '_whole');
  end loop;

  execute format(
    'create table %I (like %I including defaults including identity including storage including compression)
    partition by hash (account_key)', name, old);
  for part in 0 .. partitions - 1 loop
    execute format('create table %I partition of %I for values with (modulus %s, remainder %s) %s',
      name || '_p' || part, name, partitions, part, coalesce(options, ''));
  end loop;
  execute format('insert into %I select * from %I', name, old);
  -- Continues the identity sequences.
  for found in
    select column_name as column, pg_get_serial_sequence(quote_ident(old), column_name) as before,
      pg_get_serial_sequence(quote_ident(name), column_name) as after
    from information_schema.columns
    where table_schema = current_schema() and table_name = name and is_identity = 'YES'
  loop
    execute format('select setval(%L, last_value, is_called) from %s', found.after, found.before);
  end loop;
  execute format('drop table %I', old);
  foreach statement in array definitions || referring loop
    execute statement;
  end loop;
  execute format('analyze %I', name);
end $$;

do $$
declare
  partitions constant integer := current_setting('recalld.partitions');
  name text;
  bound text;
begin
  foreach name in array array[
    'item', 'body', 'chunk', 'chunk_text', 'chunk_terms', 'chunk_vector', 'memory', 'qa', 'vocabulary'
  ] loop
    perform pg_temp.split(name, partitions);
  end loop;
  -- Vectors are already partitioned by space, because their length differs; each space is split.
  for name, bound in
    select relname, pg_get_expr(relpartbound, pg_class.oid)
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'embedding'::regclass order by relname
  loop
    execute format('alter table embedding detach partition %I', name);
    perform pg_temp.split(name, partitions);
    execute format('alter table embedding attach partition %I %s', name, bound);
  end loop;
end $$;

drop function pg_temp.split(text, integer);
commit;
