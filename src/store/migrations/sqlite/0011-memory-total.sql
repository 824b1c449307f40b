-- Of the account, kept as its other totals are.

alter table account add column memory_count integer not null default 0;
update account
set memory_count = (
  select coalesce(sum(item.memory_count), 0) from item where item.account_key = account.account_key
);
