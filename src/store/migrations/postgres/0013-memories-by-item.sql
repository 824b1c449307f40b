-- Programs of format 4 and later go on.
-- Memories are joined by item: by their first chunk alone, the planner would read those of all accounts
create index memory_item on memory (account_key, item_key, first_chunk_id);
