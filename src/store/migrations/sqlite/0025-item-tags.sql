-- Tags that people gave items. They stay when an item is processed again or replaced.
create table item_tag (
  item_key integer not null references item on delete cascade,
  -- Without case, as tags are compared
  folded text not null,
  account_key integer not null,
  -- As written first
  tag text not null,
  primary key (item_key, folded)
) strict, without rowid;
create index item_tag_folded on item_tag (account_key, folded, item_key);
