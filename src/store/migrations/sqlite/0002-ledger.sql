-- What synchronization knows; one ledger for each memory that connectors write to, here (`account:<id>`) or elsewhere
-- (`remote:<...>`), so it is bound to no account.

create table ledger (
  ledger_key integer primary key autoincrement,
  memory_id text not null unique
) strict;

create table ledger_connection (
  connection_key integer primary key autoincrement,
  ledger_key integer not null references ledger,
  connector text not null,
  name text not null,
  -- Of the source; null before the first successful check.
  account text,
  account_title text,
  selection text,
  -- How the last run ended, and the sentence and remedy of one that did not end well
  outcome text,
  problem text,
  remedy text,
  -- JSON
  warnings text,
  expires_at integer,
  last_started_at integer,
  last_ended_at integer,
  last_success_at integer,
  next_run_at integer,
  -- JSON
  report text,
  -- Null when nothing runs. A holder that died keeps it until then.
  lease_holder text,
  lease_until integer,
  unique (ledger_key, connector, name)
) strict;

create table ledger_partition (
  partition_key integer primary key autoincrement,
  connection_key integer not null references ledger_connection,
  partition_id text not null,
  title text not null,
  -- JSON
  cursor text,
  cursor_at integer,
  walk integer not null default 0,
  walking integer not null default 0,
  last_success_at integer,
  last_inventory_at integer,
  error text,
  error_at integer,
  remedy text,
  -- 1: removed, and kept only to name the partition of its tombstones
  gone integer not null default 0,
  unique (connection_key, partition_id)
) strict;

create table ledger_item (
  ledger_key integer not null,
  source_type text not null,
  item_id text not null,
  -- That of the partition, repeated for the indexes below.
  connection_key integer not null,
  partition_key integer not null references ledger_partition,
  phase text not null,
  content_hash text,
  revision text,
  -- Numbered by its partition.
  walk integer not null,
  attempts integer not null,
  next_attempt_at integer,
  error_code text,
  error text,
  locator text,
  title text,
  url text,
  told_at integer,
  changed_at integer not null,
  primary key (ledger_key, source_type, item_id)
) strict;
-- Pages go by source type and id. With walk and phase, so that what a walk did not see is found, and items are counted,
-- without reading their rows.
create index ledger_item_partition on ledger_item (partition_key, source_type, item_id, walk, phase);
create index ledger_item_unfinished on ledger_item (connection_key, source_type, item_id)
  where phase in ('memorizing', 'deleting', 'removing');
create index ledger_item_pending on ledger_item (connection_key, source_type, item_id, next_attempt_at)
  where next_attempt_at is not null;
create index ledger_item_failed on ledger_item (connection_key, changed_at) where phase in ('failed', 'skipped');
create index ledger_item_removed on ledger_item (ledger_key, changed_at) where phase = 'removed';
-- What the memory holds, by the time of what is told
create index ledger_item_told on ledger_item (ledger_key, told_at, source_type, item_id) where content_hash is not null;

-- Rate limits are the source's, whichever connection met them.
create table ledger_budget (
  ledger_key integer not null references ledger,
  provider text not null,
  account text not null,
  api text not null,
  not_before integer,
  interval_ms integer not null,
  last_request_at integer,
  primary key (ledger_key, provider, account, api)
) strict, without rowid;

create table ledger_fact (
  ledger_key integer not null references ledger,
  name text not null,
  value text not null,
  primary key (ledger_key, name)
) strict, without rowid;
