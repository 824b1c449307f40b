-- What people put right: memories that they corrected or pinned.

-- By name and not by reference: an item that is processed again keeps its edits.
create table memory_edit (
  edit_key integer primary key autoincrement,
  account_key integer not null references account,
  kind text not null,
  source_type text not null,
  item_id text not null,
  -- Hashes of the words of the memory, 4 bytes each: its index may be another one after processing
  passage blob not null,
  -- Of a correction: the item that states it, in the same source
  correction_id text,
  made_by text not null,
  made_at integer not null
) strict;
create index memory_edit_account on memory_edit (account_key, source_type, item_id);
