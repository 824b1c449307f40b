/** Takes all tables and what else is there out of a database. */
export const EMPTY = 'drop schema public cascade; create schema public'

/** Takes all rows out of the tables of a store, if there are any. As one who may: rows that refer to others go in any order. */
export const CLEAR = `do $$
declare
  name text;
begin
  set local session_replication_role = replica;
  for name in select inhrelid::regclass from pg_inherits where inhparent = to_regclass('embedding') loop
    execute 'drop table ' || name;
  end loop;
  for name in
    select quote_ident(tablename) from pg_tables where schemaname = 'public' and tablename <> 'recalld_format'
  loop
    execute 'delete from ' || name;
  end loop;
  if to_regclass('chunk_number') is not null then
    alter sequence chunk_number restart;
  end if;
end $$`
