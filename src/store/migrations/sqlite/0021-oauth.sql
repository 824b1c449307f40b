-- Agents that people connected by OAuth: the programs, what each may see, and what they hold, by its SHA-256.

create table oauth_client (
  client_id text primary key,
  -- JSON: what it said of itself when it registered, without secrets
  metadata text not null,
  registered_at integer not null,
  -- When it registered, or somebody connected it last
  used_at integer not null
) strict, without rowid;

create table oauth_authorization (
  authorization_key integer primary key autoincrement,
  authorization_id text not null unique,
  account_key integer not null references account,
  -- Who gave it; it works while they own the account
  person_key integer not null references person on delete cascade,
  client_id text not null,
  client_name text not null,
  -- Host of the page that describes the client; null: it only said its name
  client_host text,
  -- Address that its tokens are for
  resource text not null,
  -- 'all', or a JSON array of source types
  sources text not null,
  -- 'read' or 'write'
  access text not null,
  created_at integer not null,
  -- Null: until somebody revokes it
  expires_at integer,
  last_used_at integer
) strict;
create index oauth_authorization_account on oauth_authorization (account_key);
create index oauth_authorization_person on oauth_authorization (person_key);
create index oauth_authorization_client on oauth_authorization (client_id);

create table oauth_token (
  hash blob primary key,
  kind text not null,
  -- Null: of a request that nobody has answered
  authorization_key integer references oauth_authorization on delete cascade,
  -- JSON
  payload text not null,
  consumed_at integer,
  expires_at integer not null
) strict, without rowid;
create index oauth_token_authorization on oauth_token (authorization_key);
create index oauth_token_expiry on oauth_token (kind, expires_at);
