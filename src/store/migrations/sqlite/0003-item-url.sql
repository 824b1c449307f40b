-- The original, where the item came from: an address for a browser; null when it names none
alter table item add column url text;
