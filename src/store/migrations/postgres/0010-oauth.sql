-- Programs of format 4 and later go on.
-- Agents that people connected by OAuth: the programs, what each may see, and what they hold, by its SHA-256.

create table oauth_client (
  client_id text collate "C" not null,
  -- JSON: what it said of itself when it registered, without secrets
  metadata text collate "C" not null,
  registered_at bigint not null,
  -- When it registered, or somebody connected it last
  used_at bigint not null,
  primary key (client_id)
);

create table oauth_authorization (
  authorization_id text collate "C" not null,
  account_key bigint not null references account,
  -- Who gave it; it works while they own the account
  person_key bigint not null references person on delete cascade,
  client_id text collate "C" not null,
  client_name text collate "C" not null,
  -- Host of the page that describes the client; null: it only said its name
  client_host text collate "C",
  -- Address that its tokens are for
  resource text collate "C" not null,
  -- 'all', or a JSON array of source types
  sources text collate "C" not null,
  -- 'read' or 'write'
  access text collate "C" not null,
  created_at bigint not null,
  -- Null: until somebody revokes it
  expires_at bigint,
  last_used_at bigint,
  primary key (authorization_id)
);
create index oauth_authorization_account on oauth_authorization (account_key);
create index oauth_authorization_person on oauth_authorization (person_key);
create index oauth_authorization_client on oauth_authorization (client_id);

create table oauth_token (
  hash bytea not null,
  kind text collate "C" not null,
  -- Null: of a request that nobody has answered
  authorization_id text collate "C" references oauth_authorization on delete cascade,
  -- JSON
  payload text collate "C" not null,
  consumed_at bigint,
  expires_at bigint not null,
  primary key (hash)
);
create index oauth_token_authorization on oauth_token (authorization_id);
create index oauth_token_expiry on oauth_token (kind, expires_at);
