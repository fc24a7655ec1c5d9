import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import type { FlagSpec } from '../../flags/flag-spec.js';
import {
  configFileFlag,
  jsonFlag,
  lockedFlags,
  outputFormFlag,
  secretsProviderFlag,
  showSecretsFlag,
  stackFlag,
  waitForLockFlag,
  yesFlag,
} from '../../flags/stack.js';

const stackArg = { name: 'stack', summary: 'Name of the stack (default: the selected one)', required: false };
const tagArg = { name: 'name', summary: 'Name of the tag', required: true };

const showFlags = [
  stackFlag,
  { name: 'show-urns', short: 'u', summary: 'Show the URN of each resource' },
  { name: 'show-ids', short: 'i', summary: 'Show the id of each resource' },
  { name: 'show-name', summary: 'Print only the name of the stack' },
  showSecretsFlag,
  { name: 'output', short: 'o', value: 'form', summary: 'Choose the output: default, or json' },
  jsonFlag,
] as const satisfies readonly FlagSpec[];

/** Commands for stacks and their states as a whole. */
export const stackCommands: readonly CommandSpec[] = [
  command({
    path: ['stack'],
    summary: 'Show the stack: its resources and outputs',
    flags: showFlags,
    examples: ['cairn stack', 'cairn stack --show-urns'],
    load: () => import('../stack-show.js').then(({ run }) => run),
  }),
  command({
    path: ['stack', 'get'],
    summary: 'Same as `cairn stack`',
    hidden: true,
    flags: showFlags,
    load: () => import('../stack-show.js').then(({ run }) => run),
  }),
  command({
    path: ['stack', 'init'],
    aliases: ['new', 'create', 'setup'],
    summary: 'Create a stack',
    args: [{ name: 'name', summary: 'Name of the stack', required: false }],
    flags: [
      stackFlag,
      secretsProviderFlag,
      { name: 'no-select', summary: 'Do not select the new stack' },
      { name: 'copy-config-from', value: 'stack', summary: 'Copy the configuration of this stack' },
      { name: 'yes', short: 'y', summary: 'Do not ask; fail if the name is missing' },
      { name: 'teams', value: 'names', holds: 'list', summary: '', refused: 'backends have no teams' },
      {
        name: 'remote-config',
        summary: '',
        refused: 'the configuration of a stack is a file of its project',
      },
    ],
    examples: ['cairn stack init dev', 'cairn stack init prod --no-select'],
    load: () => import('../stacks.js').then(({ init }) => init),
  }),
  command({
    path: ['stack', 'ls'],
    aliases: ['list'],
    summary: 'List stacks',
    flags: [
      { name: 'all', short: 'a', summary: 'List the stacks of every project' },
      { name: 'project', short: 'p', value: 'name', summary: 'List the stacks of this project' },
      { name: 'tag', short: 't', value: 'name[=value]', summary: 'List only stacks with this tag' },
      {
        name: 'organization',
        short: 'o',
        value: 'name',
        summary: 'List only stacks of this organization',
      },
      jsonFlag,
      outputFormFlag,
    ],
    examples: ['cairn stack ls', 'cairn stack ls --all --json', 'cairn stack ls --tag owner=web-team'],
    load: () => import('../stacks.js').then(({ list }) => list),
  }),
  command({
    path: ['stack', 'select'],
    summary: 'Choose the stack that other commands work on',
    args: [{ name: 'name', summary: 'Name of the stack', required: false }],
    flags: [
      stackFlag,
      { name: 'create', short: 'c', summary: 'Create the stack if it does not exist' },
      secretsProviderFlag,
    ],
    examples: ['cairn stack select prod', 'cairn stack select --create pr-17'],
    load: () => import('../stacks.js').then(({ select }) => select),
  }),
  command({
    path: ['stack', 'migrate'],
    summary: 'Copy a stack from another backend, and lock it there',
    args: [{ name: 'url', summary: 'URL of the backend to copy from', required: true }, stackArg],
    flags: [
      waitForLockFlag,
      { name: 'target', value: 'name', summary: 'Give the stack this name here (default: keep its name)' },
      {
        name: 'secrets-provider',
        value: 'type',
        summary:
          'Encrypt all secrets again, including the history, with passphrase, or with the key of a URL (default: keep the secrets provider)',
      },
      {
        name: 'journals',
        summary: 'Between buckets, copy the records of changes too, to resume and roll them back',
      },
      { name: 'force', short: 'f', summary: 'Accept an inconsistent state' },
      yesFlag,
    ],
    examples: [
      'cairn stack migrate s3://old-bucket prod',
      'cairn stack migrate file://~ dev --secrets-provider passphrase',
    ],
    load: () => import('../stack-migrate.js').then(({ run }) => run),
  }),
  command({
    path: ['stack', 'lock'],
    summary:
      'Lock the stack until `cairn stack unlock`, so that operations fail with the reason; print the id of the lock',
    args: [stackArg],
    flags: [
      ...lockedFlags,
      {
        name: 'reason',
        value: 'text',
        summary: 'Show this reason, one line, to users whose operations fail (required)',
      },
    ],
    examples: ['cairn stack lock --reason "repairing the network by hand"'],
    load: () => import('../stack-lock.js').then(({ lock }) => lock),
  }),
  command({
    path: ['stack', 'unlock'],
    summary: 'Remove the lock of `cairn stack lock`',
    args: [stackArg],
    flags: [stackFlag, yesFlag],
    examples: ['cairn stack unlock --yes'],
    load: () => import('../stack-lock.js').then(({ unlock }) => unlock),
  }),
  command({
    path: ['stack', 'unselect'],
    summary: 'Clear the selection of a stack',
    examples: ['cairn stack unselect'],
    load: () => import('../stacks.js').then(({ unselect }) => unselect),
  }),
  command({
    path: ['stack', 'rm'],
    unconfirmed: 'general',
    aliases: ['remove', 'delete'],
    summary: 'Remove a stack and its history',
    args: [{ name: 'name', summary: 'Name of the stack (default: the selected one)', required: false }],
    flags: [
      ...lockedFlags,
      yesFlag,
      {
        name: 'force',
        short: 'f',
        summary: 'Remove a stack that still has resources, without deleting their objects',
      },
      { name: 'preserve-config', summary: 'Keep the configuration file of the stack' },
      { name: 'remove-backups', summary: 'Remove backups of the state, too' },
    ],
    examples: ['cairn stack rm dev --yes'],
    load: () => import('../stacks.js').then(({ remove }) => remove),
  }),
  command({
    path: ['stack', 'output'],
    summary: 'Print outputs of the stack',
    args: [{ name: 'name', summary: 'Name of one output, to print only its value', required: false }],
    flags: [
      stackFlag,
      jsonFlag,
      showSecretsFlag,
      { name: 'shell', summary: 'Print name=value lines a shell can read' },
    ],
    examples: ['cairn stack output url', 'cairn stack output --json --show-secrets'],
    load: () => import('../stack-output.js').then(({ run }) => run),
  }),
  command({
    path: ['stack', 'export'],
    summary: 'Write the state of the stack as a deployment document, or as a Terraform state',
    flags: [
      stackFlag,
      {
        name: 'to',
        value: 'tool',
        summary: 'Write the state for another tool: terraform, for Terraform or OpenTofu',
      },
      {
        name: 'base',
        value: 'path',
        summary:
          'Fill in what stacks do not record from this state, which was imported into the stack (with --to)',
      },
      { name: 'file', value: 'path', summary: 'Write to this file instead of stdout' },
      {
        name: 'plain',
        summary: 'Write a sealed state in the clear; secrets stay encrypted',
      },
      {
        name: 'version',
        value: 'n',
        holds: 'count',
        summary:
          'Write the state after the operation with this number in `cairn stack history` (default: the current state)',
      },
      showSecretsFlag,
    ],
    examples: [
      'cairn stack export --file backup.json',
      'cairn stack export --version 3',
      'cairn stack export --to terraform --base terraform.tfstate --file given-back.tfstate',
    ],
    load: () => import('../stack-documents.js').then(({ exportState }) => exportState),
  }),
  command({
    path: ['stack', 'import'],
    summary: 'Replace the state of the stack with a deployment document',
    flags: [
      ...lockedFlags,
      { name: 'file', value: 'path', summary: 'Read this file instead of stdin' },
      {
        name: 'force',
        short: 'f',
        summary: 'Accept a document of another stack, or one that fails the integrity check',
      },
    ],
    examples: ['cairn stack import --file backup.json'],
    load: () => import('../stack-documents.js').then(({ importState }) => importState),
  }),
  command({
    path: ['stack', 'history'],
    aliases: ['hist'],
    summary: 'List the operations on the stack, newest first',
    flags: [
      stackFlag,
      jsonFlag,
      showSecretsFlag,
      { name: 'page', value: 'n', holds: 'count', summary: 'Show this page (default 1)' },
      {
        name: 'page-size',
        value: 'n',
        holds: 'count',
        summary: 'Show this many operations per page (default 10)',
      },
      { name: 'full-dates', summary: 'Show exact times instead of relative ones' },
      outputFormFlag,
    ],
    examples: ['cairn stack history --page-size 3'],
    load: () => import('../stack-history.js').then(({ run }) => run),
  }),
  command({
    path: ['stack', 'rename'],
    summary: 'Rename the stack, including its state, configuration file, history, backups, tags and changes',
    args: [{ name: 'name', summary: 'The new name', required: true }],
    flags: [...lockedFlags],
    examples: ['cairn stack rename production', 'cairn stack rename production --stack prod'],
    load: () => import('../stacks.js').then(({ rename }) => rename),
  }),
  command({
    path: ['stack', 'graph'],
    summary: 'Draw the resources of the stack with their dependencies and parents',
    args: [{ name: 'file', summary: 'File to write; - is stdout', required: true }],
    flags: [
      stackFlag,
      {
        name: 'format',
        value: 'format',
        summary:
          'Draw as dot, mermaid, svg or html (default: by the extension .dot, .gv, .mmd, .svg or .html of the file, else dot)',
      },
      { name: 'ignore-parent-edges', summary: 'Do not draw edges to children' },
      { name: 'ignore-dependency-edges', summary: 'Do not draw edges to dependents' },
      {
        name: 'parent-edge-color',
        value: 'colour',
        summary: 'Draw edges to children in this colour (default #AA6639)',
      },
      {
        name: 'dependency-edge-color',
        value: 'colour',
        summary: 'Draw edges to dependents in this colour (default #246C60)',
      },
      { name: 'short-node-name', summary: 'Show names instead of URNs (with --format dot)' },
      {
        name: 'dot-fragment',
        value: 'text',
        summary: 'Insert this Graphviz text into the graph (with --format dot)',
      },
    ],
    examples: [
      'cairn stack graph stack.html',
      'cairn stack graph stack.svg',
      'cairn stack graph - --format mermaid',
      'cairn stack graph - --short-node-name | dot -Tsvg',
    ],
    load: () => import('../stack-graph.js').then(({ graph }) => graph),
  }),
  command({
    path: ['stack', 'tag', 'get'],
    summary: 'Print the value of a tag',
    args: [tagArg],
    flags: [stackFlag],
    examples: ['cairn stack tag get owner'],
    load: () => import('../stack-tags.js').then(({ get }) => get),
  }),
  command({
    path: ['stack', 'tag', 'ls'],
    aliases: ['list'],
    summary: 'List the tags of the stack',
    flags: [stackFlag, jsonFlag, outputFormFlag],
    examples: ['cairn stack tag ls --json'],
    load: () => import('../stack-tags.js').then(({ list }) => list),
  }),
  command({
    path: ['stack', 'tag', 'rm'],
    aliases: ['remove', 'delete'],
    summary: 'Remove a tag',
    args: [tagArg],
    flags: [stackFlag],
    examples: ['cairn stack tag rm owner'],
    load: () => import('../stack-tags.js').then(({ remove }) => remove),
  }),
  command({
    path: ['stack', 'tag', 'set'],
    summary: 'Set a tag',
    args: [tagArg, { name: 'value', summary: 'Value of the tag', required: true }],
    flags: [stackFlag],
    examples: ['cairn stack tag set owner web-team'],
    load: () => import('../stack-tags.js').then(({ set }) => set),
  }),
  command({
    path: ['stack', 'change-secrets-provider'],
    summary: 'Change the secrets provider of the stack, or its key',
    args: [
      {
        name: 'provider',
        summary:
          'Secrets provider: passphrase, default, or the URL of a key: awskms://, azurekeyvault://, gcpkms://, hashivault://',
        required: true,
      },
    ],
    flags: [...lockedFlags, configFileFlag],
    examples: [
      'cairn stack change-secrets-provider passphrase',
      "cairn stack change-secrets-provider 'awskms://alias/stacks?region=eu-central-1'",
    ],
    load: () => import('../stacks.js').then(({ replaceSecretsProvider }) => replaceSecretsProvider),
  }),
];
