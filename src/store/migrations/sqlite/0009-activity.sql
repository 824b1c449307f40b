-- What happened in an account, and who did it.

-- Entries ever written: a number is not given out twice.
alter table account add column activity_count integer not null default 0;

create table activity (
  account_key integer not null references account,
  number integer not null,
  at integer not null,
  kind text not null,
  -- 'key', 'person', 'connection', 'server'
  actor_type text not null,
  -- Empty for the server
  actor_id text not null,
  -- As it was called then; null when it is called by its id
  actor_name text,
  -- JSON: the fields of the kind
  details text not null,
  primary key (account_key, number)
) strict, without rowid;
-- For what is too old
create index activity_at on activity (account_key, at);
