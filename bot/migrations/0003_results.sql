create table results (
    table_id integer not null references tables (id) on delete cascade,
    seat integer not null,
    user integer,                     -- null for a robot, and for a player whose traces were deleted
    server integer not null,
    game text not null,
    ended integer not null,           -- when
    ending text not null,             -- played, conceded; abandoned, agreed, expired: without a result
    won integer not null,
    shared integer not null,          -- 1 when others have won as well
    score integer not null,
    place integer,                    -- from 1; null without a result and where nobody competes
    seats integer not null,           -- how many there were
    answers integer not null,         -- how many questions the user has answered, and how many of them in time
    punctual integer not null,
    honours text not null,            -- prizes of the game's own, as a JSON list of names
    primary key (table_id, seat)
);
create index results_user on results (user);
create index results_server on results (server, game);
alter table tables add column rematch integer; -- the table that plays the same again
