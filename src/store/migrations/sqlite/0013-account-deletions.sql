-- Deleting an account takes several commits. From the first on nothing of it is seen.

-- Null unless the account is being deleted.
alter table account add column deleting_since integer;

-- What stays of accounts that were deleted: who did it, when, and how much it was. No contents.
create table account_deletion (
  account_id text primary key,
  -- As they were, to count what is left
  account_key integer not null,
  ledger_key integer,
  name text not null,
  actor_type text not null,
  actor_id text not null,
  actor_name text,
  begun_at integer not null,
  -- Counted before the first item goes; null until then
  items integer,
  memories integer,
  bytes integer,
  -- SHA-256, hexadecimal
  bodies_hash text,
  -- When the last row went; null until then
  ended_at integer,
  -- JSON: rows that were found afterwards, by table; null until they were looked for
  remaining text
) strict, without rowid;
