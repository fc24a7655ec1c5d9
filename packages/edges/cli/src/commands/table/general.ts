import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import type { FlagSpec } from '../../flags/flag-spec.js';
import { accountFlags } from '../../flags/refused.js';
import { jsonFlag, outputFormFlag, stackFlag, yesFlag } from '../../flags/stack.js';

/** Address of a backend, in the form of the other tool's flag. */
const cloudUrlFlag = {
  name: 'cloud-url',
  short: 'c',
  value: 'url',
  summary: 'Use this backend, instead of the argument',
} as const satisfies FlagSpec;

/** Flags for a login with the token of an issuer, as CI systems give one to their jobs. */
const oidcFlags = [
  {
    name: 'oidc-token',
    value: 'token',
    summary: 'Log in with this token of an issuer, or with that in file://PATH',
  },
  { name: 'oidc-org', value: 'organization', summary: 'Organization that trusts it (default: its audience)' },
  { name: 'oidc-team', value: 'team', summary: 'Get a token of this team' },
  { name: 'oidc-user', value: 'user', summary: 'Get a token of this user' },
  { name: 'oidc-expiration', value: 'duration', summary: 'Let the login end after this time, such as 15m' },
] as const satisfies readonly FlagSpec[];

/** Commands for the location of states, and about Cairn itself. */
export const generalCommands: readonly CommandSpec[] = [
  command({
    path: ['login'],
    summary: 'Choose the backend that stores stacks',
    args: [
      {
        name: 'url',
        summary: 'URL of the backend, e.g. file:///srv/state, file://~ or s3://bucket/path',
        required: false,
      },
    ],
    flags: [
      cloudUrlFlag,
      { name: 'local', short: 'l', summary: 'Store stacks in the home directory' },
      { name: 'interactive', summary: 'Choose from the backends that were used before' },
      { name: 'browser', summary: 'Sign in to a state service with a browser' },
      ...oidcFlags,
      ...accountFlags,
    ],
    examples: [
      'cairn login file:///srv/state',
      "cairn login 's3://my-bucket?region=eu-central-1'",
      'cairn login --local',
      'cairn login https://state.example.com --oidc-token file:///run/token',
    ],
    load: () => import('../backends.js').then(({ login }) => login),
  }),
  command({
    path: ['logout'],
    summary: 'Forget the chosen backend',
    args: [{ name: 'url', summary: 'URL of the backend (default: the current one)', required: false }],
    flags: [
      { name: 'all', summary: 'Forget every backend' },
      cloudUrlFlag,
      { name: 'local', short: 'l', summary: 'Forget the backend in the home directory' },
    ],
    examples: ['cairn logout'],
    load: () => import('../backends.js').then(({ logout }) => logout),
  }),
  command({
    path: ['whoami'],
    summary: 'Show the current user and, with --verbose, the backend',
    flags: [{ name: 'verbose', short: 'v', summary: 'Show the backend too' }, jsonFlag, outputFormFlag],
    examples: ['cairn whoami --verbose'],
    load: () => import('../backends.js').then(({ whoami }) => whoami),
  }),
  command({
    path: ['about'],
    summary: 'Show versions and settings, for bug reports',
    flags: [
      stackFlag,
      { name: 'transitive', short: 't', summary: 'List transitive dependencies, too' },
      jsonFlag,
      { name: 'output', value: 'form', summary: 'Choose the output: default, or json' },
    ],
    examples: ['cairn about', 'cairn about --json --transitive'],
    load: () => import('../about.js').then(({ run }) => run),
  }),
  command({
    path: ['about', 'env'],
    summary: 'List the environment variables that Cairn reads, with their values',
    flags: [jsonFlag],
    examples: ['cairn about env', 'cairn about env --json'],
    load: () => import('../about-env.js').then(({ run }) => run),
  }),
  command({
    path: ['migrate', 'sdk'],
    summary: 'Migrate a program from @pulumi/pulumi to @cairn/sdk',
    args: [{ name: 'dir', summary: 'Folder of the program (default: this one)', required: false }],
    flags: [{ name: 'preview', summary: 'Show what would change, without changing it' }],
    examples: ['cairn migrate sdk --preview', 'cairn migrate sdk ./infra'],
    load: () => import('../migrate-sdk.js').then(({ migrateSdk }) => migrateSdk),
  }),
  command({
    path: ['logs', 'list'],
    aliases: ['ls'],
    summary: 'List the logs of background operations, oldest first',
    flags: [jsonFlag, outputFormFlag],
    examples: ['cairn logs list'],
    load: () => import('../logs.js').then(({ list }) => list),
  }),
  command({
    path: ['logs', 'show'],
    summary: 'Print the log of a background operation',
    args: [
      {
        name: 'name',
        summary: 'Name of the log, from `cairn logs list` (default: the newest)',
        required: false,
      },
    ],
    examples: ['cairn logs show'],
    load: () => import('../logs.js').then(({ show }) => show),
  }),
  command({
    path: ['logs', 'remove'],
    aliases: ['rm', 'delete'],
    summary: 'Remove logs of background operations',
    args: [{ name: 'name', summary: 'Name of a log, from `cairn logs list`', required: false, repeat: true }],
    flags: [
      { name: 'all', summary: 'Remove all logs' },
      { name: 'before', value: 'time', summary: 'Remove logs older than a date, or than an age such as 7d' },
      yesFlag,
    ],
    examples: ['cairn logs remove --before 7d --yes'],
    load: () => import('../logs.js').then(({ remove }) => remove),
  }),
  command({
    path: ['alias'],
    summary: 'Write an executable named pulumi that runs this command, for scripts and the Automation API',
    args: [
      {
        name: 'directory',
        summary: 'Directory to write it to (default: bin in the home of Cairn); it must be on PATH',
        required: false,
      },
    ],
    flags: [{ name: 'force', short: 'f', summary: 'Replace an executable that this command did not write' }],
    examples: ['cairn alias', 'cairn alias ~/.local/bin'],
    load: () => import('../alias.js').then(({ alias }) => alias),
  }),
  command({
    path: ['gen-completion'],
    aliases: ['completion'],
    summary: 'Print a script that completes commands, flags, stacks, URNs and keys in a shell',
    args: [{ name: 'shell', summary: 'Shell: bash, zsh, fish or powershell', required: true }],
    examples: ['source <(cairn gen-completion bash)', 'cairn gen-completion fish | source'],
    load: () => import('../completion.js').then(({ script }) => script),
  }),
  command({
    path: ['version'],
    summary: 'Print the version',
    examples: ['cairn version'],
    load: () => import('../../flows/version.js').then(({ printVersion }) => printVersion),
  }),
];
