-- Access that people granted to sources by OAuth; like ledgers, bound to a memory here or elsewhere and to no account.

create table access_grant (
  -- Grants that were made again in the same millisecond stay in their order.
  grant_key integer primary key autoincrement,
  grant_id text not null unique,
  memory_id text not null,
  provider text not null,
  family text not null,
  -- Of the provider
  account text not null,
  account_title text not null,
  -- JSON
  scopes text not null,
  -- JSON: tenant, cloud, addresses
  place text not null,
  -- Tokens and the client, encrypted with a key that is not in this file
  sealed blob not null,
  -- Null: the access token does not end, or nobody told
  access_expires_at integer,
  expires_at integer,
  granted_at integer not null,
  renewed_at integer,
  -- Why the provider ended it; null while it holds
  refusal text,
  -- Raised by every change but claims: a renewal is stored only over the row that it began with.
  version integer not null default 1,
  -- Of the one that renews it; null when nobody does
  lease_holder text,
  lease_until integer,
  unique (memory_id, provider, family, account)
) strict;
