-- Lists of all items of an account in several orders. With the source, so that a filter by it skips entries of an index
-- and not rows.

create index item_newest on item (account_key, item_key, source_type);
create index item_size on item (account_key, size_bytes, item_key, source_type);
create index item_name on item (account_key, lower(substr(coalesce(title, file_name), 1, 100)), item_key, source_type);
-- Few, as a rule
create index item_failed on item (account_key, source_type) where state = 'failed';
