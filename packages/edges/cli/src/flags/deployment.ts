import type { FlagSpec } from './flag-spec.js';
import { jsonFlag, outputFormFlag, stackFlag } from './stack.js';

const text = <const Name extends string>(name: Name, value: string, summary: string) =>
  ({ name, value, summary }) as const;
const choice = <const Name extends string>(name: Name, summary: string) =>
  ({ name, value: 'true|false', holds: 'choice', of: ['true', 'false'], alone: 'true', summary }) as const;
const list = <const Name extends string>(name: Name, value: string, summary: string) =>
  ({ name, value, holds: 'list', summary }) as const;

/** Flags of Pulumi that are not offered: switches, and those with a value. */
const refused = <const Names extends readonly string[]>(reason: string, switches: Names, values: Names) => [
  ...switches.map((name) => ({ name: name as Names[number], summary: '', refused: reason })),
  ...values.map((name) => ({ name: name as Names[number], summary: '', refused: reason, value: 'text' })),
];
const oidc = (cloud: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `oidc-${cloud}-${name}`);

/** Flags of `deployment settings edit`, with those of Pulumi for parts that agents do not have. */
export const deploymentEditFlags = [
  stackFlag,
  jsonFlag,
  outputFormFlag,
  text('file', 'path', 'Change the members that this file has, in YAML or JSON; null removes one'),
  text('git-url', 'url', 'Repository with the program'),
  text('branch', 'name', 'Branch of the repository'),
  text('folder', 'path', 'Folder of the project in the repository'),
  text('runner-pool', 'name', 'Pool of the agents that run the stack'),
  choice('push-to-deploy', 'Request an update for each commit of the branch'),
  list(
    'pre-run-command',
    'command',
    'Run this in the project before each operation, in place of those before',
  ),
  list('env', 'NAME=VALUE', 'Set a variable for operations; may be given several times'),
  list('secret-env', 'NAME=VALUE', 'Set a variable that the service seals; may be given several times'),
  list('remove-env', 'NAME', 'Remove a variable; may be given several times'),
  choice('delete-after-destroy', 'Remove the stack after it was destroyed'),
  ...refused(
    'write its member into the file of --file',
    ['aws', 'azure', 'gcp'].map((cloud) => `oidc-${cloud}-clear`),
    [
      ...oidc('aws', ['duration', 'policy-arn', 'role-arn', 'session-name']),
      ...oidc('azure', ['client-id', 'subscription-id', 'tenant-id']),
      ...oidc('gcp', ['project-number', 'provider-id', 'region', 'service-account']),
      ...oidc('gcp', ['token-lifetime', 'workload-pool-id']),
    ],
  ),
  ...refused(
    'agents read a repository; name it with --git-url',
    ['preview-prs', 'pr-template'],
    ['github-repo', 'path-filter'],
  ),
  ...refused(
    'agents have members of their own for it; write them into the file of --file',
    ['skip-install-deps', 'skip-intermediate-deployments'],
    ['executor-image', 'executor-root-path', 'shell'],
  ),
  ...refused('a request names a commit: use `cairn request up --commit`', [], ['commit']),
] as const satisfies readonly FlagSpec[];
