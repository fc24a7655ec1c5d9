import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import type { FlagSpec } from '../../flags/flag-spec.js';
import { blobsFlag, orgFlag, storeFlag } from '../../flags/service.js';

const roleFlag = {
  name: 'role',
  value: 'role',
  summary: 'Role: reader (default), writer, admin, or the id of a role of the organization',
} as const satisfies FlagSpec;

const memberRoleFlag = {
  name: 'role',
  value: 'role',
  summary: 'Role on all stacks: none, reader (default), writer, admin, or the id of one of the organization',
} as const satisfies FlagSpec;

const memberFlag = {
  name: 'member',
  value: 'user',
  holds: 'list',
  summary: 'Member of the team; may be given several times',
} as const satisfies FlagSpec;

const stacksFlag = {
  name: 'stacks',
  value: 'pattern',
  summary: 'Only stacks PROJECT/STACK, with * for any text',
} as const satisfies FlagSpec;

const tagFlag = {
  name: 'tag',
  value: 'tag',
  summary: 'Only stacks with the tag NAME, or NAME=VALUE with * for any text',
} as const satisfies FlagSpec;

const trustFlags = [
  { name: 'issuer', value: 'url', summary: 'Address of the issuer, as its tokens name it' },
  {
    name: 'audience',
    value: 'text',
    summary: 'Audience of its tokens (default: urn:pulumi:org:ORGANIZATION)',
  },
  {
    name: 'claim',
    value: 'name=pattern',
    holds: 'list',
    summary: 'Claim that tokens need, with * for any text; may be given several times',
  },
  { name: 'to', value: 'holder', summary: 'Give tokens of organization (default), team:NAME or user:NAME' },
  {
    name: 'role',
    value: 'role',
    holds: 'choice',
    of: ['reader', 'writer', 'admin'],
    summary: 'Role of the tokens: reader, writer (default) or admin',
  },
  {
    name: 'stacks',
    value: 'pattern',
    holds: 'list',
    summary: 'Limit the tokens to stacks PROJECT/STACK, with * for any text; may be given several times',
  },
  { name: 'minutes', value: 'n', holds: 'count', summary: 'Longest lifetime of a token (default: 60)' },
] as const satisfies readonly FlagSpec[];

/** Commands for users, teams, roles, trusted issuers and the audit log of the state service. */
export const serveAccessCommands: readonly CommandSpec[] = [
  command({
    path: ['serve', 'org', 'new'],
    summary: 'Make an organization',
    args: [{ name: 'name', summary: 'Name of the organization', required: true }],
    flags: [
      storeFlag,
      blobsFlag,
      { name: 'admin', value: 'user', summary: 'Make this user its first administrator' },
    ],
    examples: ['cairn serve org new acme --admin alice --store file:///srv/cairn'],
    load: () => import('../serve-access.js').then(({ newOrganization }) => newOrganization),
  }),
  command({
    path: ['serve', 'org', 'ls'],
    aliases: ['list'],
    summary: 'List the organizations of the service',
    flags: [storeFlag, blobsFlag],
    load: () => import('../serve-access.js').then(({ organizations }) => organizations),
  }),
  command({
    path: ['serve', 'user', 'set'],
    summary: 'Make a user a member of an organization, or change the role',
    args: [{ name: 'user', summary: 'Name of the user', required: true }],
    flags: [
      storeFlag,
      blobsFlag,
      orgFlag,
      memberRoleFlag,
      { name: 'sign-in', summary: 'Let the account with this name that signs in next be the user' },
    ],
    examples: ['cairn serve user set alice --role writer --store file:///srv/cairn'],
    load: () => import('../serve-access.js').then(({ setUser }) => setUser),
  }),
  command({
    path: ['serve', 'user', 'password'],
    summary: 'Set the password of a user, read from stdin; what an earlier one opened ends',
    args: [{ name: 'user', summary: 'Name of the user', required: true }],
    flags: [
      storeFlag,
      blobsFlag,
      { name: 'remove', summary: 'Remove the password instead, so that the user cannot sign in with one' },
    ],
    examples: [
      'cairn serve user password alice --store file:///srv/cairn',
      'cairn serve user password alice --store file:///srv/cairn < password.txt',
    ],
    load: () => import('../serve-access.js').then(({ userPassword }) => userPassword),
  }),
  command({
    path: ['serve', 'user', 'ls'],
    aliases: ['list'],
    summary: 'List the members of an organization',
    flags: [storeFlag, blobsFlag, orgFlag],
    load: () => import('../serve-access.js').then(({ users }) => users),
  }),
  command({
    path: ['serve', 'user', 'rm'],
    aliases: ['remove'],
    summary: 'Remove a member from an organization, with all grants',
    args: [{ name: 'user', summary: 'Name of the user', required: true }],
    flags: [storeFlag, blobsFlag, orgFlag],
    load: () => import('../serve-access.js').then(({ dropUser }) => dropUser),
  }),
  command({
    path: ['serve', 'team', 'set'],
    summary: 'Make a team, or replace its members',
    args: [{ name: 'team', summary: 'Name of the team', required: true }],
    flags: [storeFlag, blobsFlag, orgFlag, memberFlag],
    examples: ['cairn serve team set ops --member alice --member bobby --store file:///srv/cairn'],
    load: () => import('../serve-access.js').then(({ setTeam }) => setTeam),
  }),
  command({
    path: ['serve', 'team', 'ls'],
    aliases: ['list'],
    summary: 'List the teams of an organization',
    flags: [storeFlag, blobsFlag, orgFlag],
    load: () => import('../serve-access.js').then(({ teams }) => teams),
  }),
  command({
    path: ['serve', 'team', 'rm'],
    aliases: ['remove'],
    summary: 'Remove a team, with its grants',
    args: [{ name: 'team', summary: 'Name of the team', required: true }],
    flags: [storeFlag, blobsFlag, orgFlag],
    load: () => import('../serve-access.js').then(({ dropTeam }) => dropTeam),
  }),
  command({
    path: ['serve', 'grant', 'new'],
    summary: 'Grant a role on stacks to a user or a team, and print the id',
    args: [{ name: 'holder', summary: 'Holder of the role: user:NAME or team:NAME', required: true }],
    flags: [storeFlag, blobsFlag, orgFlag, roleFlag, stacksFlag, tagFlag],
    examples: ["cairn serve grant new team:ops --role writer --stacks 'shop/*' --store file:///srv/cairn"],
    load: () => import('../serve-access.js').then(({ newGrant }) => newGrant),
  }),
  command({
    path: ['serve', 'grant', 'ls'],
    aliases: ['list'],
    summary: 'List the grants of an organization',
    flags: [storeFlag, blobsFlag, orgFlag],
    load: () => import('../serve-access.js').then(({ grants }) => grants),
  }),
  command({
    path: ['serve', 'grant', 'rm'],
    aliases: ['remove'],
    summary: 'Remove a grant',
    args: [{ name: 'id', summary: 'Id of the grant', required: true }],
    flags: [storeFlag, blobsFlag, orgFlag],
    load: () => import('../serve-access.js').then(({ dropGrant }) => dropGrant),
  }),
  command({
    path: ['serve', 'trust', 'new'],
    summary: 'Trust the tokens that an issuer gives to jobs, and print the id',
    args: [{ name: 'name', summary: 'Name of the trust, which names its tokens', required: true }],
    flags: [storeFlag, blobsFlag, orgFlag, ...trustFlags],
    examples: [
      "cairn serve trust new deploys --issuer https://token.actions.githubusercontent.com --claim 'sub=repo:acme/*' --store file:///srv/cairn",
    ],
    load: () => import('../serve-access.js').then(({ newTrust }) => newTrust),
  }),
  command({
    path: ['serve', 'trust', 'ls'],
    aliases: ['list'],
    summary: 'List the issuers that an organization trusts',
    flags: [storeFlag, blobsFlag, orgFlag],
    load: () => import('../serve-access.js').then(({ trusts }) => trusts),
  }),
  command({
    path: ['serve', 'trust', 'rm'],
    aliases: ['remove'],
    summary: 'Remove the trust in an issuer',
    args: [{ name: 'id', summary: 'Id of the trust', required: true }],
    flags: [storeFlag, blobsFlag, orgFlag],
    load: () => import('../serve-access.js').then(({ dropTrust }) => dropTrust),
  }),
  command({
    path: ['serve', 'audit', 'verify'],
    summary: 'Check that no row of the audit log was altered, removed or put in',
    flags: [
      storeFlag,
      blobsFlag,
      { name: 'newest', value: 'row', summary: 'Row that an earlier check printed, which has to be there' },
    ],
    examples: ['cairn serve audit verify --store file:///srv/cairn'],
    load: () => import('../serve-access.js').then(({ auditVerify }) => auditVerify),
  }),
  command({
    path: ['serve', 'audit', 'export'],
    summary: 'Write the whole audit log to stdout',
    flags: [
      storeFlag,
      blobsFlag,
      {
        name: 'format',
        value: 'format',
        holds: 'choice',
        of: ['csv', 'cef'],
        summary: 'Format: csv (default) or cef',
      },
    ],
    load: () => import('../serve-access.js').then(({ auditExport }) => auditExport),
  }),
];
