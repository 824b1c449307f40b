-- Programs of format 4 and later go on.
-- The connector that an item is from, or the app of an export; null for uploads that name none
alter table item add column connector text collate "C";
update item set connector =
  case when link.connector in ('messenger_exports', 'chat_exports') then part.partition_id else link.connector end
from account, ledger, ledger_item, ledger_connection as link, ledger_partition as part
where account.account_key = item.account_key
  and ledger.memory_id = 'account:' || account.account_id
  and ledger_item.ledger_key = ledger.ledger_key
  and ledger_item.source_type = item.source_type and ledger_item.item_id = item.item_id
  and link.connection_key = ledger_item.connection_key
  and part.partition_key = ledger_item.partition_key;
create index item_connector on item (account_key, connector, first_chunk_id, last_chunk_id, source_type)
  where connector is not null;
