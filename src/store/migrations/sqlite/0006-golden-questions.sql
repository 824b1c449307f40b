-- A person's own questions, with the items that answer them.

-- Questions ever kept: a number is not given out twice.
alter table account add column golden_count integer not null default 0;

create table golden_question (
  golden_key integer primary key autoincrement,
  account_key integer not null references account,
  number integer not null,
  question text not null,
  created_at integer not null,
  unique (account_key, number)
) strict;

-- By name and not by reference: an item that is forgotten and memorized again answers again.
create table golden_item (
  golden_key integer not null references golden_question on delete cascade,
  source_type text not null,
  item_id text not null,
  primary key (golden_key, source_type, item_id)
) strict, without rowid;

create table golden_run (
  run_key integer primary key autoincrement,
  account_key integer not null references account,
  ran_at integer not null,
  version text not null,
  made_by text not null,
  space_id text not null,
  -- JSON: by number of the question its rank, null when nothing right was found, 'no item' when none was held
  ranks text not null
) strict;
create index golden_run_account on golden_run (account_key, run_key);
