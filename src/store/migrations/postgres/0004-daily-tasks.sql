-- What is done once a day by one of the processes: whoever holds the lease.

create table daily_task (
  name text collate "C",
  lease_holder text collate "C",
  lease_until bigint,
  -- When it was last done to its end
  done_at bigint,
  primary key (name)
);
