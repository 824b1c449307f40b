-- Programs of format 4 and later go on.
-- Somebody asked for a run, in whatever process: `changes`, or `full` to have everything read again. Whoever begins it
-- clears it.

alter table ledger_connection add column asked text;
