/** Tables for changes, their records, and messages to them. */
export const CHANGE_SCHEMA = `
  create table cairn.changes (
    stack uuid not null references cairn.stacks on delete cascade,
    number integer not null,
    update_id uuid not null,
    operation text not null,
    sealed text,
    primary key (stack, number)
  );

  create table cairn.change_records (
    update_id uuid not null,
    seq bigint not null,
    record text not null,
    primary key (update_id, seq)
  );
  alter table cairn.updates add column recorded bigint not null default 0;

  create table cairn.change_messages (
    stack uuid not null,
    number integer not null,
    place integer not null,
    message text not null,
    primary key (stack, number, place),
    foreign key (stack, number) references cairn.changes on delete cascade
  );
`;
