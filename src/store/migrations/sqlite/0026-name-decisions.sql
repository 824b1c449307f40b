-- What owners decided about names of people: that two are one person, or that a name is a person of its own.
create table name_decision (
  account_key integer not null references account on delete cascade,
  -- The name without case, accents and titles
  name_key text not null,
  name text not null,
  -- Another name of the same person; null: a person of its own
  merged_into text,
  made_by text not null,
  made_at integer not null,
  primary key (account_key, name_key)
) strict, without rowid;
