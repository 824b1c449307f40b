-- What is done once a day by one of the processes: whoever holds the lease.

create table daily_task (
  name text primary key,
  lease_holder text,
  lease_until integer,
  -- When it was last done to its end
  done_at integer
) strict, without rowid;
