-- When the next item of a turn can be claimed, however many accounts wait
create index job_next on job (turn, ready_at);
