import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import type { FlagSpec } from '../../flags/flag-spec.js';
import { configFileFlag, jsonFlag, showSecretsFlag, stackFlag } from '../../flags/stack.js';

const openFlag = {
  name: 'open',
  summary: '',
  refused: 'stacks have no environments of a service that could be opened',
} as const satisfies FlagSpec;
const configFlags = [
  stackFlag,
  configFileFlag,
  { name: 'path', summary: 'Treat the key as a path into a structured value, e.g. a.b[0]' },
] as const satisfies readonly FlagSpec[];

/** Commands for the configuration of a stack. */
export const configCommands: readonly CommandSpec[] = [
  command({
    path: ['config'],
    summary: 'List the configuration of the stack',
    flags: [stackFlag, configFileFlag, jsonFlag, showSecretsFlag, openFlag],
    examples: ['cairn config', 'cairn config --json --show-secrets'],
    load: () => import('../config.js').then(({ list }) => list),
  }),
  command({
    path: ['config', 'set'],
    summary: 'Set a configuration value',
    args: [
      { name: 'key', summary: 'Key: name, or namespace:name', required: true },
      { name: 'value', summary: 'The value (default: read it from stdin, or ask for it)', required: false },
    ],
    flags: [
      ...configFlags,
      { name: 'secret', summary: 'Encrypt the value' },
      { name: 'plaintext', summary: 'Store a value that looks like a secret in the clear' },
      { name: 'raw', summary: 'Keep the trailing newlines of a value that is read from stdin' },
      { name: 'type', value: 'type', summary: 'Store the value as a string, bool, int or float' },
      {
        name: 'project',
        summary: 'Set the value in the project file, for every stack that does not set the key itself',
      },
      {
        name: 'secrets-provider',
        value: 'type',
        summary:
          'Encrypt the first secret of the project with passphrase (default), or with the key of a URL',
      },
    ],
    examples: [
      'cairn config set region eu-west-1',
      'cairn config set --secret dbPassword',
      'cairn config set --project --secret registryToken',
      "cairn config set --path 'tags.team' web",
    ],
    load: () => import('../config.js').then(({ set }) => set),
  }),
  command({
    path: ['config', 'get'],
    summary: 'Print a configuration value',
    args: [{ name: 'key', summary: 'Key: name, or namespace:name', required: true }],
    flags: [...configFlags, jsonFlag, openFlag],
    examples: ['cairn config get region'],
    load: () => import('../config.js').then(({ get }) => get),
  }),
  command({
    path: ['config', 'rm'],
    aliases: ['remove', 'delete'],
    summary: 'Remove a configuration value',
    args: [{ name: 'key', summary: 'Key: name, or namespace:name', required: true }],
    flags: configFlags,
    examples: ['cairn config rm region'],
    load: () => import('../config.js').then(({ remove }) => remove),
  }),
  command({
    path: ['config', 'set-all'],
    summary: 'Set several configuration values at once',
    flags: [
      ...configFlags,
      {
        name: 'plaintext',
        value: 'key=value',
        holds: 'list',
        summary: 'Store this value in the clear',
      },
      { name: 'secret', value: 'key=value', holds: 'list', summary: 'Encrypt this value' },
      {
        name: 'json',
        value: 'document',
        summary:
          'Set the values in this JSON, in the form that `cairn config --json` prints; - reads it from stdin',
      },
    ],
    examples: [
      'cairn config set-all --plaintext region=eu-west-1 --plaintext size=3',
      'cairn config set-all --json - < config.json',
    ],
    load: () => import('../config.js').then(({ setAll }) => setAll),
  }),
  command({
    path: ['config', 'rm-all'],
    aliases: ['remove-all', 'delete-all'],
    summary: 'Remove several configuration values at once',
    args: [{ name: 'key', summary: 'Key: name, or namespace:name', required: true, repeat: true }],
    flags: configFlags,
    examples: ['cairn config rm-all region size'],
    load: () => import('../config.js').then(({ remove }) => remove),
  }),
  command({
    path: ['config', 'cp'],
    aliases: ['copy'],
    summary: 'Copy configuration to another stack; secrets are encrypted for that stack',
    args: [{ name: 'key', summary: 'Key: name, or namespace:name (default: all)', required: false }],
    flags: [...configFlags, { name: 'dest', short: 'd', value: 'stack', summary: 'Copy to this stack' }],
    examples: ['cairn config cp --dest prod', 'cairn config cp region --dest prod'],
    load: () => import('../config.js').then(({ copy }) => copy),
  }),
  command({
    path: ['config', 'refresh'],
    summary: 'Write the configuration of the latest operation to the stack file',
    flags: [
      stackFlag,
      configFileFlag,
      { name: 'force', short: 'f', summary: 'Do not keep a copy of the old file' },
    ],
    examples: ['cairn config refresh'],
    load: () => import('../config.js').then(({ refresh }) => refresh),
  }),
];
