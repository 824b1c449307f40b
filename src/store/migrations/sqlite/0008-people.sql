-- People who sign in to the app, and what they sign in with. Nothing here opens a door for keys, nor a key this one.

create table person (
  person_key integer primary key autoincrement,
  person_id text not null unique,
  name text not null,
  -- As it was typed
  login text not null,
  -- As it is compared: one form, lower case
  login_key text not null unique,
  -- Argon2id, with its salt and parameters; null: signs in by other means only
  password_hash text,
  is_admin integer not null,
  created_at integer not null
) strict;

create table membership (
  account_key integer not null references account,
  person_key integer not null references person on delete cascade,
  -- 'owner' or 'member'
  role text not null,
  created_at integer not null,
  primary key (account_key, person_key)
) strict, without rowid;
create index membership_person on membership (person_key);

create table sign_in_link (
  -- SHA-256 of the token, which is nowhere here
  hash blob primary key,
  link_id text not null unique,
  -- 'first', 'invitation' or 'reset'
  purpose text not null,
  -- What the person becomes a member of; null for a reset, and for an invitation to an account of their own
  account_key integer references account,
  role text,
  -- Who is invited, where the one who invites said it; as it is compared
  login_key text,
  -- Of a reset
  person_key integer references person on delete cascade,
  created_at integer not null,
  expires_at integer not null
) strict, without rowid;
create index sign_in_link_account on sign_in_link (account_key);
create index sign_in_link_login on sign_in_link (login_key);
create index sign_in_link_person on sign_in_link (person_key);

create table web_session (
  -- SHA-256 of what the cookie holds
  hash blob primary key,
  session_id text not null unique,
  person_key integer not null references person on delete cascade,
  -- JSON: account that is looked at, secret against forged requests, challenge that was asked last
  data text not null,
  -- In words: "Firefox on Linux"
  device text not null,
  created_at integer not null,
  seen_at integer not null,
  expires_at integer not null
) strict, without rowid;
create index web_session_person on web_session (person_key);
create index web_session_expiry on web_session (expires_at);

create table passkey (
  -- As browsers spell it, base64url
  credential_id text primary key,
  person_key integer not null references person on delete cascade,
  name text not null,
  -- COSE
  public_key blob not null,
  -- Host name that it belongs to
  rp_id text not null,
  -- Of uses; one that goes back tells of a copy
  counter integer not null,
  -- JSON: how the browser reaches it
  transports text not null,
  created_at integer not null,
  used_at integer
) strict, without rowid;
create index passkey_person on passkey (person_key);

-- Who somebody is at a provider of OpenID Connect.
create table outside_identity (
  issuer text not null,
  subject text not null,
  person_key integer not null references person on delete cascade,
  created_at integer not null,
  primary key (issuer, subject)
) strict, without rowid;
create index outside_identity_person on outside_identity (person_key);
