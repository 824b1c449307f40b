-- Search by words and by vectors. The account's key leads every key and is part of every hashed term, so that nothing of
-- one account is read for, or felt by, another.

-- The terms of a chunk, body and meta together, as 64-bit hashes of account and term: `hashtextextended(term, account_key)`.
-- They arrive analysed, of any characters, so a text search configuration has nothing to add.
create table chunk_terms (
  account_key bigint not null,
  chunk_id bigint not null,
  source smallint not null,
  at bigint,
  terms bigint[] not null,
  primary key (account_key, chunk_id)
);

-- Arrays of hashes do not compress; a row that is read is read whole.
alter table chunk_terms alter column terms set storage external;

-- What is new waits in a list before the index takes it in. Short, in kB: every look-up reads all of it, and with it an
-- upload takes a third of the time that it takes without.
create index chunk_terms_of on chunk_terms using gin (terms) with (fastupdate = on, gin_pending_list_limit = 512);

create extension if not exists vector;

-- Vectors, with a partition for each space that is made when the space is first used, and has an HNSW index of its own:
-- see `postgres/vector-writer.ts`. Numbers are those of the unit vector times 127, which halves hold exactly.
create table embedding (
  account_key bigint not null,
  chunk_id bigint not null,
  space_key bigint not null,
  source smallint not null,
  at bigint,
  embedding halfvec not null,
  primary key (account_key, chunk_id, space_key)
) partition by list (space_key);

-- How many vectors a filter leaves, and which, where they are few.
create index embedding_filter on embedding (account_key, source, at);
