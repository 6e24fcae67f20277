create table meta (
    key text primary key,
    value text not null
);
create table tables (
    id integer primary key,
    game text not null,
    guild integer not null,
    channel integer not null,         -- where it was opened
    place integer,                    -- where it is played: a thread of the channel, or the channel
    state text not null,              -- open, running, over
    version integer not null,         -- grows with every stored change
    published integer not null default -1, -- the version that Discord shows
    parked integer,                   -- since when Discord cannot show it, while it cannot
    due integer,                      -- when the clock must look at it next, in seconds since 1970, UTC
    rules integer not null,           -- the version of the rules that dealt it
    data text not null,               -- the table but for the next two, as JSON
    setup text,                       -- secret: the shuffled game, as JSON
    position text                     -- secret: the position, as JSON
);
create index tables_due on tables (due) where due is not null;
create index tables_unpublished on tables (id) where published < version;
create index tables_channel on tables (channel);
create index tables_place on tables (place);
create table seats (
    table_id integer not null references tables (id) on delete cascade,
    seat integer not null,
    user integer,                     -- null for a robot
    waiting integer not null,         -- 1 while the table waits for this seat
    primary key (table_id, seat)
);
create unique index seats_once on seats (table_id, user) where user is not null;
create index seats_user on seats (user);
create table log (
    table_id integer not null references tables (id) on delete cascade,
    number integer not null,          -- from 1
    seat integer,                     -- null for the bell
    move text not null,
    at integer not null,
    primary key (table_id, number)
);
create table drafts (
    table_id integer not null references tables (id) on delete cascade,
    seat integer not null,
    turn integer not null,
    draft text not null,
    primary key (table_id, seat)
);
create table remarks (
    table_id integer not null references tables (id) on delete cascade,
    turn integer not null,
    seat integer not null,
    remark text not null,             -- secret until the turn is over
    primary key (table_id, turn, seat)
);
create table posts (
    id integer primary key,
    table_id integer not null references tables (id) on delete cascade,
    audience text not null,           -- lobby, public, or seat:N for direct messages
    moment text not null,             -- the question it shows
    channel integer not null,
    message integer not null,
    version integer not null,         -- of the table when it was last drawn
    told integer not null,            -- how many public events had been told then
    digest text not null,             -- of what it shows, to edit only what changed
    live integer not null             -- 1 while it has controls
);
create index posts_table on posts (table_id, audience);
create table people (
    user integer primary key,
    dm integer,                       -- the channel of direct messages
    refused integer not null default 0 -- 1 when the last direct message was refused
);
create table absences (
    user integer not null,
    began integer not null,
    ended integer not null,           -- in the future while it lasts
    primary key (user, began)
);
create table servers (
    id integer primary key,
    settings text not null
);
