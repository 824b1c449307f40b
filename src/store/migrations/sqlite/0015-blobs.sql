-- The bytes of large uploads may lie in a storage of objects.

-- Where they lie; `bytes` is empty then. Null: they are in `bytes`.
alter table body add column blob_key text;
create index body_blob on body (blob_key) where blob_key is not null;

-- Objects that are about to be written. Committed before the first byte is sent, and removed by the commit that refers to
-- the object: what is left of it tells of a process that was killed.
create table blob_write (
  key text primary key,
  account_key integer not null,
  at integer not null
) strict, without rowid;
create index blob_write_age on blob_write (at);
create index blob_write_account on blob_write (account_key);

-- Objects that nothing refers to any more, until they are gone from the storage. No key is ever used again.
create table blob_garbage (
  key text primary key,
  account_key integer not null,
  at integer not null
) strict, without rowid;
create index blob_garbage_age on blob_garbage (at);
create index blob_garbage_account on blob_garbage (account_key);
