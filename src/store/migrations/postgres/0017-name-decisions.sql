-- Programs of format 15 and later go on.
-- What owners decided about names of people: that two are one person, or that a name is a person of its own.
create table name_decision (
  account_key bigint not null references account on delete cascade,
  -- The name without case, accents and titles
  name_key text collate "C" not null,
  name text collate "C" not null,
  -- Another name of the same person; null: a person of its own
  merged_into text collate "C",
  made_by text collate "C" not null,
  made_at bigint not null,
  primary key (account_key, name_key)
);
