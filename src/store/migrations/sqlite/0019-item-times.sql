-- Items by the time that they are about: a question for a day lists what happened then.
create index item_stated on item (account_key, told_from, told_until, source_type) where told_from is not null;
