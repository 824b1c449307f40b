-- The bytes of large uploads may lie in a storage of objects (`../sqlite/0015-blobs.sql` says why each column is there).
-- Programs of earlier formats would take those uploads for empty ones.

alter table body add column blob_key text collate "C";
create index body_blob on body (blob_key) where blob_key is not null;

create table blob_write (
  key text collate "C",
  account_key bigint not null,
  at bigint not null,
  primary key (key)
);
create index blob_write_age on blob_write (at);
create index blob_write_account on blob_write (account_key);

create table blob_garbage (
  key text collate "C",
  account_key bigint not null,
  at bigint not null,
  primary key (key)
);
create index blob_garbage_age on blob_garbage (at);
create index blob_garbage_account on blob_garbage (account_key);
