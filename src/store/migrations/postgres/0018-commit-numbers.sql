-- Programs of format 15 and later go on.
-- Items that shared a commit took one number together, so the sequence may be behind the numbers that are used.
select setval('commit_number', greatest((select max(commit_number) from item), (select last_value from commit_number)));
