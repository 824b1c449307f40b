-- What a language model makes of items after the built-in rules have.

-- Model, prompt and code that the memories shown now were refined by; null when rules alone made them.
alter table item add column refined_by text;
-- JSON: what of the model's answers was left out and why
alter table item add column refinement_skips text;

create table refinement (
  refinement_id integer primary key autoincrement,
  account_key integer not null,
  item_key integer not null unique references item on delete cascade,
  source_type text not null,
  -- 'waiting', also while somebody holds its lease; 'given_up' until it is queued again
  state text not null,
  -- Claims since something was last heard of it
  attempts integer not null default 0,
  -- In a row, with this error code
  failures integer not null default 0,
  ready_at integer not null,
  queued_at integer not null,
  lease_token text,
  error_code text,
  error text
) strict;
create index refinement_ready on refinement (account_key, source_type, ready_at) where state = 'waiting';

-- Answers that were paid for, so that none is paid twice. They belong to their item and are erased with it.
create table refinement_part (
  item_key integer not null references item on delete cascade,
  -- SHA-256 of what was asked, of which model
  hash text not null,
  -- JSON
  answer text not null,
  primary key (item_key, hash)
) strict, without rowid;

-- Written in the commit that keeps the answer.
create table refinement_spend (
  account_key integer not null references account,
  -- In the account's time zone
  day text not null,
  source_type text not null,
  model text not null,
  calls integer not null,
  input_tokens integer not null,
  output_tokens integer not null,
  micro_dollars integer not null,
  primary key (account_key, day, source_type, model)
) strict, without rowid;

-- Why nothing is claimed for now.
create table refinement_pause (
  -- 0: of all accounts
  account_key integer not null,
  -- Empty: of all sources
  source_type text not null,
  -- 'budget', 'away' or 'refused'
  reason text not null,
  -- Null: until the worker is started again
  until_at integer,
  message text not null,
  primary key (account_key, source_type)
) strict, without rowid;
