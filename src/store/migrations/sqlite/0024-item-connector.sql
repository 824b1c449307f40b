-- The connector that an item is from, or the app of an export; null for uploads that name none
alter table item add column connector text;
update item set connector = (
  select case when link.connector in ('messenger_exports', 'chat_exports')
    then part.partition_id else link.connector end
  from account
  join ledger on ledger.memory_id = 'account:' || account.account_id
  join ledger_item on ledger_item.ledger_key = ledger.ledger_key
    and ledger_item.source_type = item.source_type and ledger_item.item_id = item.item_id
  join ledger_connection as link on link.connection_key = ledger_item.connection_key
  join ledger_partition as part on part.partition_key = ledger_item.partition_key
  where account.account_key = item.account_key
);
create index item_connector on item (account_key, connector, first_chunk_id, last_chunk_id, source_type)
  where connector is not null;
