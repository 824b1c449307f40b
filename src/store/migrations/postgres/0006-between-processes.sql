-- Programs of format 4 and later go on.
-- What processes counted and kept for themselves alone. All of it is over within the hour.

-- Wrong passwords, by what is counted together.
create table failed_sign_in (
  -- SHA-256 of the kind and of what is counted: nobody reads here who tried, or a password that was typed as a name.
  hash bytea,
  -- `pair` of login and network, `network`, `login`
  kind text collate "C" not null,
  failures integer not null,
  -- Until then nobody may try.
  not_before bigint not null,
  last_at bigint not null,
  primary key (hash)
);
create index failed_sign_in_oldest on failed_sign_in (kind, last_at);

-- Access that somebody is about to grant in the app; like grants, bound to a memory.
create table consent (
  consent_id text collate "C",
  memory_id text collate "C" not null,
  -- Only this person may finish it.
  person_id text collate "C" not null,
  -- SHA-256 of the `state` that the provider hands back; null for a code that is typed
  state_hash bytea,
  -- What the person is shown of it, encrypted as the tokens of a grant are
  facts bytea not null,
  -- What redeems the answer, in the same way: taken by whoever redeems it, once
  secrets bytea,
  -- JSON: the id of the grant, or the problem; null while it waits
  outcome text collate "C",
  created_at bigint not null,
  expires_at bigint not null,
  primary key (consent_id)
);
create index consent_memory on consent (memory_id, created_at);
create index consent_expiry on consent (expires_at);

-- Requests of an account in a minute, as its processes have told them; used where several of them answer requests. A crash
-- of the server may forget it.
create unlogged table request_count (
  -- SHA-256 of whose they are
  hash bytea,
  count bigint not null,
  ends_at bigint not null,
  primary key (hash)
);
create index request_count_end on request_count (ends_at);
