-- Programs of format 15 and later go on.
-- Tags that people gave items. They stay when an item is processed again or replaced.
create table item_tag (
  item_key bigint,
  -- Without case, as tags are compared
  folded text collate "C",
  account_key bigint not null,
  -- As written first
  tag text collate "C" not null,
  primary key (item_key, folded),
  foreign key (item_key, account_key) references item on delete cascade
);
create index item_tag_folded on item_tag (account_key, folded, item_key);
