-- Programs of format 4 and later go on.
-- Tells this database from every other one: homes and buckets remember it. One row, made when it is asked for first.
create table database_identity (
  database_id text collate "C" primary key
);

-- The first account is that of whoever hosts this: nobody bills it. One whose plan or status was set stays as it is.
update account set billing_status = 'active'
  where account_key = (select min(account_key) from account)
    and plan = 'self-hosted' and billing_status = 'none'
    and not exists (select 1 from account_deletion);
