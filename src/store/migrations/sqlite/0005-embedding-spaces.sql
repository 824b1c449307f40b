-- Spaces of plugged-in models, whose vectors lie in `chunk_vector`. Of the built-in model, whose vectors lie in
-- `chunk.features`, all of these are null or 0.

-- 'building': being filled; 'active': questions are asked in it; 'retired': was active, and kept to go back to;
-- 'dropping': its vectors are being removed. No active one: questions are asked in the space of the built-in model.
alter table space add column state text;
alter table space add column dimensions integer;
-- JSON: what a person knows the model by; holds no key
alter table space add column model text;
-- Mean cosine of texts that have nothing to do with each other
alter table space add column background real;
alter table space add column changed_at integer;
-- Every chunk up to this one has a vector here or is gone.
alter table space add column floor integer not null default 0;
-- Grows whenever `floor` may have to go back, so that whoever read it before does not move it on.
alter table space add column floor_epoch integer not null default 0;
-- Who fills it, so that two processes do not pay for the same texts; null when nobody does.
alter table space add column lease_holder text;
alter table space add column lease_until integer;
-- Why it is not filled at the moment
alter table space add column problem text;
alter table space add column retry_at integer;
create unique index space_in_use on space (state) where state in ('building', 'active');

create table chunk_vector (
  -- Never given out twice: followers read what is new since the last number they saw.
  vector_key integer primary key autoincrement,
  chunk_id integer not null,
  space_key integer not null references space,
  account_key integer not null,
  -- int8, unit vector times 127; empty when the text has no direction
  vector blob not null,
  unique (chunk_id, space_key)
) strict;
create index chunk_vector_follow on chunk_vector (space_key, account_key, vector_key);
