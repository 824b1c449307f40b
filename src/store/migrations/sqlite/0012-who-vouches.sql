-- Whether somebody else vouches for what a person signs in with: the command line, an administrator who invited by it, or
-- a provider that confirmed it. 0: the person alone chose it.
alter table person add column login_is_given integer not null default 0;
update person set login_is_given = is_admin;

-- Who gave a link out; null: the command line. It ends with the right to give it.
alter table sign_in_link add column issuer_key integer references person on delete cascade;
create index sign_in_link_issuer on sign_in_link (issuer_key);
