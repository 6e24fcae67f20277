create table reminders (
    table_id integer not null references tables (id) on delete cascade,
    seat integer not null,
    turn integer not null,
    kind text not null,               -- turn, half, hour, last
    due integer not null,
    sent integer,                     -- when it was sent or found to be unwanted; null before
    mentioned integer not null default 0, -- 1 when the public post of the question has notified the player
    written integer not null default 0, -- 1 when the planner of the question has notified the player
    primary key (table_id, seat, turn, kind)
);
create index reminders_due on reminders (due) where sent is null;
create table notices (                -- messages that remind a seat, deleted when it has answered
    channel integer not null,
    message integer not null,
    table_id integer not null references tables (id) on delete cascade,
    seat integer not null,
    turn integer not null,
    primary key (message, table_id, seat)
);
create index notices_table on notices (table_id);
alter table people add column wishes text; -- how the user wants to be told, as JSON
create table boards (                 -- the standing post of a server about all its tables
    server integer primary key,
    channel integer not null,
    message integer,                  -- null until it is posted
    digest text not null default ''   -- of what it shows, to edit only what changed
);
create table journal (                -- what hosts and moderators did to a table
    id integer primary key,
    table_id integer not null references tables (id) on delete cascade,
    at integer not null,
    user integer not null,
    what text not null
);
create index journal_table on journal (table_id);
