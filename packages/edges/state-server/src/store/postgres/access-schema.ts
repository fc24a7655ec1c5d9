/**
 * Migration 2: organizations, and who may do what in them. An audit row has the hash of the one before it, so rows are
 * only ever appended.
 */
export const ACCESS_SCHEMA = `
  alter table cairn.stacks add column org text collate "C" not null default 'organization';
  alter table cairn.stacks drop constraint stacks_project_name_key;
  alter table cairn.stacks add unique (org, project, name);

  alter table cairn.tokens add column used_at bigint;

  create table cairn.users (org text not null, id text not null, record jsonb not null, primary key (org, id));
  create table cairn.organizations (org text not null, id text not null, record jsonb not null, primary key (org, id));
  create table cairn.members (org text not null, id text not null, record jsonb not null, primary key (org, id));
  create index members_by_login on cairn.members (id);
  create table cairn.teams (org text not null, id text not null, record jsonb not null, primary key (org, id));
  create table cairn.grants (org text not null, id text not null, record jsonb not null, primary key (org, id));
  create index grants_by_holder on cairn.grants (org, (record->>'to'));
  create table cairn.trusts (org text not null, id text not null, record jsonb not null, primary key (org, id));

  create table cairn.audit (
    seq bigint primary key,
    row text not null,
    hash text not null
  );
`;

/** Migration 18: keys that sign the OpenID Connect tokens of runs. */
export const SIGNER_SCHEMA = `
  create table cairn.signers (org text not null, id text not null, record jsonb not null, primary key (org, id));
`;

/** Migration 8: roles that organizations have made. */
export const ROLE_SCHEMA = `
  create table cairn.roles (org text not null, id text not null, record jsonb not null, primary key (org, id));
`;
