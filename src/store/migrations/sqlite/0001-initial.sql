-- Times are milliseconds since the epoch. Text compares byte by byte, so identifiers are case-sensitive.
-- `account_key`, `item_key`, `chunk_id` are internal integers that are never given out twice.

create table counter (
  name text primary key,
  value integer not null
) strict, without rowid;
insert into counter (name, value) values ('chunk', 0), ('commit', 0);

create table account (
  account_key integer primary key autoincrement,
  account_id text not null unique,
  user_id text not null,
  name text not null,
  time_zone text not null,
  plan text not null,
  billing_status text not null,
  created_at integer not null,
  -- Totals, kept in the commit that changes them: counting 100,000 rows on every upload would take 10 ms.
  item_count integer not null default 0,
  byte_count integer not null default 0,
  chunk_count integer not null default 0,
  body_term_count integer not null default 0
) strict;

create table user (
  account_key integer not null references account,
  user_id text not null unique,
  name text not null,
  primary key (account_key, user_id)
) strict, without rowid;

create table api_key (
  account_key integer not null references account,
  key_id text not null,
  user_id text not null,
  name text not null,
  -- 'all', or a JSON array of source types
  sources text not null,
  is_default integer not null,
  hash blob not null unique,
  created_at integer not null,
  last_used_at integer,
  primary key (account_key, key_id),
  unique (account_key, name)
) strict;

create table usage (
  account_key integer not null references account,
  day text not null,
  metric text not null,
  key_id text not null,
  count integer not null,
  primary key (account_key, day, metric, key_id)
) strict, without rowid;

create table item (
  item_key integer primary key autoincrement,
  account_key integer not null references account,
  source_type text not null,
  item_id text not null,
  user_id text not null,
  user_name text not null,
  file_name text not null,
  content_type text not null,
  size_bytes integer not null,
  body_hash text not null,
  execution_id text not null,
  -- Outcome of the last processing: 'new' (none yet), 'ready', 'failed'. What is queued or processed is told by `job`.
  state text not null,
  error_code text,
  error text,
  created_at integer not null,
  -- When the bytes that are here now came.
  uploaded_at integer not null,
  updated_at integer not null,
  -- What is searchable now; null when nothing was indexed yet. Rows outside this range are not visible.
  first_chunk_id integer,
  last_chunk_id integer,
  -- Most chunks a memory of this item reaches past its first one.
  memory_span integer not null default 0,
  memory_count integer not null default 0,
  body_term_count integer not null default 0,
  -- Grows with every commit of memories: followers read what is new since the last number they saw.
  commit_number integer,
  made_by text,
  kind text,
  title text,
  told_from integer,
  told_until integer,
  -- JSON: what was left out and why
  skips text
) strict;
create unique index item_identity on item (account_key, item_id, source_type);
create index item_listing on item (account_key, source_type);
create index item_commit on item (account_key, commit_number);

create table body (
  item_key integer primary key references item on delete cascade,
  bytes blob not null
) strict;

create table job (
  job_id integer primary key autoincrement,
  account_key integer not null references account,
  item_key integer not null unique references item on delete cascade,
  -- 0: an upload; 1: made again in the background
  turn integer not null,
  attempts integer not null default 0,
  -- When it may be claimed: at once, at the end of its lease, or at the next attempt.
  ready_at integer not null,
  queued_at integer not null,
  lease_token text,
  lease_owner text
) strict;
create index job_turn on job (turn, account_key, ready_at);
create index job_ready on job (ready_at);
create index job_account on job (account_key);
create index job_leased on job (ready_at) where lease_token is not null;

create table space (
  space_key integer primary key,
  space_id text not null unique
) strict;

-- The chunks of one item version have consecutive ids, in reading order.
create table chunk (
  chunk_id integer primary key,
  account_key integer not null,
  item_key integer not null,
  ordinal integer not null,
  kind text not null,
  source integer not null,
  space_key integer not null,
  at integer,
  body_terms integer not null,
  meta_terms integer not null,
  -- Bytes of the vector at the beginning of `features`; 0 when it has no direction.
  vector_bytes integer not null,
  -- Vector, hashes and token ids in one piece (`chunk-features.ts`): a column more costs 0.7 us a row.
  features blob not null
) strict;
-- Narrow, so that bounds on the time are checked in the cache and not in the rows.
create index chunk_time on chunk (chunk_id, at);

-- Beside the features, not in their rows: ranking reads a thousand of those and shows twenty texts.
create table chunk_text (
  chunk_id integer primary key,
  speaker text,
  heading text,
  text text not null
) strict;

create table memory (
  memory_key integer primary key,
  account_key integer not null,
  item_key integer not null,
  memory_index integer not null,
  first_chunk_id integer not null,
  last_chunk_id integer not null,
  at integer,
  -- JSON
  content text not null
) strict;
create index memory_chunk on memory (first_chunk_id);

create table qa (
  qa_key integer primary key,
  account_key integer not null,
  item_key integer not null,
  chunk_id integer not null,
  question text not null,
  answer text not null
) strict;
create index qa_chunk on qa (chunk_id);

-- Ranges of chunk ids that no item shows: being written by the holder of the lease, or waiting for removal.
create table hidden_range (
  first_chunk_id integer primary key,
  last_chunk_id integer not null,
  account_key integer not null,
  lease_token text
) strict;

-- Words that were indexed, for misspelt names. Clustered so that one letter and one length are one range.
create table vocabulary (
  account_key integer not null,
  length integer not null,
  term text not null,
  reversed text not null,
  primary key (account_key, length, term)
) strict, without rowid;
create index vocabulary_reversed on vocabulary (account_key, length, reversed);
