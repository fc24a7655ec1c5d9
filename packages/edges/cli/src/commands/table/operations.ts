import { OPERATION_OPTIONS as OPTIONS } from '@cairn/operations/options';
import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import { only, without } from '../../flags/flag-spec.js';
import type { FlagSpec } from '../../flags/flag-spec.js';
import {
  askFlag,
  baseFlag,
  confirmFlags,
  debuggerFlag,
  detachFlags,
  errorFlags,
  generateResourcesFlag,
  importFileFlag,
  importFlags,
  libraryFlags,
  lookFlags,
  operationFlags,
  pendingCreateFlags,
  planFlags,
  policyFlags,
  policyLookFlag,
  previewOnlyFlag,
  replaceFlags,
  savePlanFlag,
  stacksFlag,
  unexpectedFlags,
} from '../../flags/operation.js';
import { serviceFlagsOfNew } from '../../flags/refused.js';
import { secretsProviderFlag, stackFlag, yesFlag } from '../../flags/stack.js';
import { operationStart } from './early.js';

const flagsOfImport = only(operationFlags, [
  ...(['stack', 'wait-for-lock', 'message', 'parallel', 'config', 'config-file', 'diff', 'json'] as const),
  ...(['output', 'event-log', 'summary', 'report', 'graph', 'strict-providers', 'show-sames'] as const),
  ...(['show-replacement-steps', 'suppress-outputs', 'show-secrets', 'skip-plugin-pre-install'] as const),
  ...lookFlags.map(({ name }) => name),
]);
const upFlags = [
  ...operationFlags,
  stacksFlag,
  ...unexpectedFlags,
  ...libraryFlags,
  baseFlag,
  OPTIONS.runProgram,
  ...replaceFlags,
  OPTIONS.ignoreProtect,
  OPTIONS.noDigests,
] as const;
const flagsOfWatch = only(operationFlags, [
  ...(['stack', 'message', 'parallel', 'config', 'config-file', 'config-path', 'refresh'] as const),
  ...(['show-config', 'show-sames', 'show-replacement-steps', 'show-secrets', 'suppress-outputs'] as const),
  ...(['urns', 'diff', 'target', 'exclude', 'continue-on-error', 'skip-plugin-pre-install'] as const),
  'skip-config-validation',
]);

const newFlags = [
  {
    name: 'name',
    short: 'n',
    value: 'name',
    summary: 'Name the project (default: name of the directory)',
  },
  { name: 'description', short: 'd', value: 'text', summary: 'Describe the project' },
  {
    name: 'dir',
    value: 'directory',
    summary: 'Create the project in this directory (default: the current one)',
  },
  { name: 'stack', short: 's', value: 'name', summary: 'Create this stack (default dev)' },
  {
    name: 'generate-only',
    short: 'g',
    summary: 'Only write the files, without stack, configuration and dependencies',
  },
  {
    name: 'force',
    short: 'f',
    summary: 'Write to a directory that is not empty, and overwrite files of the same name',
  },
  { name: 'yes', short: 'y', summary: 'Use the defaults without asking' },
  {
    name: 'config',
    short: 'c',
    value: 'key=value',
    holds: 'list',
    summary: 'Set configuration of the new stack',
  },
  { name: 'config-path', summary: 'Treat keys of --config as paths into a value, such as db.port' },
  { name: 'offline', short: 'o', summary: 'Use only templates on this machine, without fetching any' },
  { name: 'list-templates', short: 'l', summary: 'List the templates on this machine' },
  {
    name: 'runtime-options',
    value: 'key=value,…',
    holds: 'list',
    summary: 'Write these runtime options to the project file',
  },
  ...serviceFlagsOfNew,
  secretsProviderFlag,
] as const satisfies readonly FlagSpec[];

const newCommand = command({
  path: ['new'],
  aliases: ['create', 'setup'],
  summary: 'Create a project, or a package with a provider or component, from a template',
  args: [
    {
      name: 'template',
      summary:
        'Template: typescript (default) or javascript for a project; provider or component for a package; or a folder, a git address, npm:PACKAGE, or the name of a Pulumi template',
      required: false,
    },
  ],
  flags: newFlags,
  examples: [
    'cairn new typescript --dir shop',
    'cairn new --yes --stack prod',
    'cairn new https://github.com/acme/templates/tree/main/web --dir shop',
    'cairn new provider --dir notebook',
  ],
  load: () => import('../new.js').then(({ run }) => run),
});

/** Commands for creating a project, and for the operations on its resources. */
export const operationsCommands: readonly CommandSpec[] = [
  newCommand,
  {
    ...newCommand,
    path: ['project', 'new'],
    summary: 'Same as `cairn new`',
    examples: ['cairn project new typescript --dir shop'],
  },
  command({
    path: ['package', 'new'],
    aliases: ['create', 'setup'],
    summary: 'Create a package with a provider or a component, as `cairn new provider` does',
    args: [{ name: 'template', summary: 'Template: provider (default) or component', required: false }],
    flags: only(newFlags, ['name', 'description', 'dir', 'generate-only', 'force', 'yes', 'offline']),
    examples: ['cairn package new provider --dir notebook', 'cairn package new component --dir site'],
    load: () => import('../new.js').then(({ newPackageOf }) => newPackageOf),
  }),
  command({
    path: ['up'],
    aliases: ['update'],
    summary: 'Create or change resources to match the program',
    flags: [
      ...upFlags,
      ...errorFlags,
      ...confirmFlags,
      ...detachFlags,
      ...planFlags,
      ...policyFlags,
      policyLookFlag,
      OPTIONS.typecheck,
      debuggerFlag,
      secretsProviderFlag,
      askFlag,
    ],
    examples: [
      'cairn up',
      'cairn up --yes --stack prod',
      'cairn up --skip-preview --diff',
      'cairn up --yes --detach',
      "cairn up --yes --stacks 'prod-*'",
    ],
    early: operationStart('always'),
    load: () => import('../operations.js').then(({ up }) => up),
  }),
  command({
    path: ['preview'],
    aliases: ['pre'],
    summary: 'Show what up would do',
    flags: [
      ...upFlags,
      savePlanFlag,
      ...policyFlags,
      policyLookFlag,
      OPTIONS.typecheck,
      debuggerFlag,
      importFileFlag,
    ],
    examples: [
      'cairn preview --diff',
      'cairn preview --save-plan plan.json',
      'cairn preview --report preview.html --graph preview.svg',
    ],
    early: operationStart('always'),
    load: () => import('../operations.js').then(({ preview }) => preview),
  }),
  command({
    path: ['destroy'],
    aliases: ['down', 'dn'],
    summary: 'Delete every resource of a stack',
    flags: [
      ...operationFlags,
      stacksFlag,
      ...libraryFlags,
      baseFlag,
      ...errorFlags,
      OPTIONS.runProgram,
      ...confirmFlags,
      ...detachFlags,
      OPTIONS.ignoreProtect,
      OPTIONS.excludeProtected,
      OPTIONS.remove,
      OPTIONS.preserveConfig,
      previewOnlyFlag,
    ],
    examples: [
      'cairn destroy',
      'cairn destroy --preview-only',
      'cairn destroy --yes --stack dev --remove',
      'cairn destroy --run-program --yes',
    ],
    early: operationStart('asked'),
    load: () => import('../operations.js').then(({ destroy }) => destroy),
  }),
  command({
    path: ['refresh'],
    unconfirmed: 'general',
    summary: 'Read the real state of the resources and record it',
    flags: [
      ...without(operationFlags, ['refresh']),
      stacksFlag,
      ...pendingCreateFlags,
      ...libraryFlags,
      OPTIONS.runProgram,
      ...confirmFlags,
      ...detachFlags,
      previewOnlyFlag,
    ],
    examples: [
      'cairn refresh --yes',
      'cairn refresh --preview-only',
      'cairn refresh --expect-no-changes --yes',
      'cairn refresh --run-program --yes',
    ],
    early: operationStart('asked'),
    load: () => import('../operations.js').then(({ refresh }) => refresh),
  }),
  command({
    path: ['import'],
    summary: 'Import existing objects into the stack, and write the code that declares them',
    args: [
      {
        name: 'type',
        summary: 'Type of the resource, as its provider names it; with --from, the file of the state',
        required: false,
      },
      { name: 'name', summary: 'Name of the resource in the stack', required: false },
      { name: 'id', summary: 'Id by which the provider finds the object', required: false, repeat: true },
    ],
    flags: [
      ...flagsOfImport,
      ...importFlags,
      ...without(libraryFlags, ['client']),
      generateResourcesFlag,
      yesFlag,
      { name: 'skip-preview', summary: 'Skip the preview' },
    ],
    examples: [
      'cairn import cairn-random:index:Pet mascot brave-otter',
      'cairn import --file list.json --out imported.ts --yes',
      'cairn import --from terraform terraform.tfstate --out index.ts',
      'cairn import --from kubernetes --generate-resources list.json -- --namespace shop',
    ],
    early: operationStart('unknown'),
    load: () => import('../operations.js').then(({ importObjects }) => importObjects),
  }),
  command({
    path: ['watch'],
    summary: 'Update the stack whenever files of the project change, until ^C',
    flags: [
      {
        name: 'path',
        value: 'path',
        holds: 'list',
        summary: 'Watch this folder or file instead of the project',
      },
      ...flagsOfWatch,
      ...without(libraryFlags, ['client']),
      ...policyFlags,
      secretsProviderFlag,
    ],
    examples: ['cairn watch', 'cairn watch --path src --path ../shared --stack dev'],
    load: () => import('../watch.js').then(({ run }) => run),
  }),
  command({
    path: ['cancel'],
    summary:
      'Release the lock that a dead operation left on a stack, but not a lock of `stack lock`; ask first on a terminal',
    args: [{ name: 'stack', summary: 'Name of the stack (default: the selected one)', required: false }],
    flags: [stackFlag, yesFlag],
    examples: ['cairn cancel --yes'],
    load: () => import('../backends.js').then(({ cancel }) => cancel),
  }),
];
