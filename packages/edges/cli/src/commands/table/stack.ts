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

const stackArg = { name: 'stack', summary: 'The stack (default: the selected one)', required: false };
const tagArg = { name: 'name', summary: 'Name of the tag', required: true };

const showFlags = [
  stackFlag,
  { name: 'show-urns', short: 'u', summary: 'Show the URN of each resource' },
  { name: 'show-ids', short: 'i', summary: 'Show the id of each resource' },
  { name: 'show-name', summary: 'Print only the name of the stack' },
  showSecretsFlag,
  { name: 'output', short: 'o', value: 'form', summary: 'default, or json' },
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
    summary: 'The same as `cairn stack`',
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
      { name: 'no-select', summary: 'Do not make it the selected stack' },
      { name: 'copy-config-from', value: 'stack', summary: 'Give it the configuration of this stack' },
      { name: 'yes', short: 'y', summary: 'Ask nothing; fail when the name is missing' },
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
      { name: 'all', short: 'a', summary: 'Stacks of every project, not only this one' },
      { name: 'project', short: 'p', value: 'name', summary: 'Stacks of this project' },
      { name: 'tag', short: 't', value: 'name[=value]', summary: 'Stacks that have this tag' },
      {
        name: 'organization',
        short: 'o',
        value: 'name',
        summary: 'Taken as it is: backends have one organization, and its stacks are listed',
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
      { name: 'create', short: 'c', summary: 'Create the stack when it does not exist' },
      secretsProviderFlag,
    ],
    examples: ['cairn stack select prod', 'cairn stack select --create pr-17'],
    load: () => import('../stacks.js').then(({ select }) => select),
  }),
  command({
    path: ['stack', 'migrate'],
    summary: 'Take a stack over from another backend, with its history; there it stays, and is locked',
    args: [{ name: 'url', summary: 'The backend it is in', required: true }, stackArg],
    flags: [
      waitForLockFlag,
      { name: 'target', value: 'name', summary: 'Name of the stack here (default: the one that it has)' },
      {
        name: 'secrets-provider',
        value: 'type',
        summary:
          'Encrypt everything secret anew, history included: passphrase, or the URL of a key (default: it stays as it is)',
      },
      {
        name: 'journals',
        summary: 'Take the records of changes along, so that they can be resumed and rolled back',
      },
      { name: 'force', short: 'f', summary: 'Take a state that is not consistent' },
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
      'Lock the stack for a person: operations are refused with the reason until it is unlocked; prints the id',
    args: [stackArg],
    flags: [
      ...lockedFlags,
      { name: 'reason', value: 'text', summary: 'Why, in one line, for those who are refused; required' },
    ],
    examples: ['cairn stack lock --reason "repairing the network by hand"'],
    load: () => import('../stack-lock.js').then(({ lock }) => lock),
  }),
  command({
    path: ['stack', 'unlock'],
    summary: 'Remove the lock of a person from the stack',
    args: [stackArg],
    flags: [stackFlag, yesFlag],
    examples: ['cairn stack unlock --yes'],
    load: () => import('../stack-lock.js').then(({ unlock }) => unlock),
  }),
  command({
    path: ['stack', 'unselect'],
    summary: 'Have no stack selected',
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
        summary: 'Even when it still has resources; they are forgotten, not deleted',
      },
      { name: 'preserve-config', summary: 'Keep the configuration file of the stack' },
      { name: 'remove-backups', summary: 'Also remove backups of the state' },
    ],
    examples: ['cairn stack rm dev --yes'],
    load: () => import('../stacks.js').then(({ remove }) => remove),
  }),
  command({
    path: ['stack', 'output'],
    summary: 'Print outputs of the stack',
    args: [{ name: 'name', summary: 'One output; its bare value is printed', required: false }],
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
    summary: 'Write the state of the stack as a deployment document, or as a state of Terraform',
    flags: [
      stackFlag,
      { name: 'to', value: 'tool', summary: 'terraform: as a state of Terraform or OpenTofu' },
      {
        name: 'base',
        value: 'path',
        summary: 'The state that was taken over: what stacks do not have is taken from it (with --to)',
      },
      { name: 'file', value: 'path', summary: 'Write to this file instead of stdout' },
      {
        name: 'plain',
        summary: 'In the clear, when the state of the stack is sealed whole (secrets stay encrypted)',
      },
      {
        name: 'version',
        value: 'n',
        holds: 'count',
        summary:
          'The state that an operation left, by its number in `cairn stack history` (default: the present one)',
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
    summary: 'Replace the state of the stack by a deployment document',
    flags: [
      ...lockedFlags,
      { name: 'file', value: 'path', summary: 'Read this file instead of stdin' },
      {
        name: 'force',
        short: 'f',
        summary: 'Accept a document of another stack or one that fails the integrity check',
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
      { name: 'page', value: 'n', holds: 'count', summary: 'Page to show (default 1)' },
      { name: 'page-size', value: 'n', holds: 'count', summary: 'Operations on a page (default 10)' },
      { name: 'full-dates', summary: 'Exact times instead of relative ones' },
      outputFormFlag,
    ],
    examples: ['cairn stack history --page-size 3'],
    load: () => import('../stack-history.js').then(({ run }) => run),
  }),
  command({
    path: ['stack', 'rename'],
    summary:
      'Give the stack another name: in its state, its configuration file, history, backups, tags and changes',
    args: [{ name: 'name', summary: 'The new name', required: true }],
    flags: [...lockedFlags],
    examples: ['cairn stack rename production', 'cairn stack rename production --stack prod'],
    load: () => import('../stacks.js').then(({ rename }) => rename),
  }),
  command({
    path: ['stack', 'graph'],
    summary: 'Draw the resources of the stack: what needs what, and what is inside what',
    args: [{ name: 'file', summary: 'File to write; - is stdout', required: true }],
    flags: [
      stackFlag,
      {
        name: 'format',
        value: 'format',
        summary:
          'dot, mermaid, svg or html (default: by the ending of the file, .dot, .gv, .mmd, .svg or .html; else dot)',
      },
      { name: 'ignore-parent-edges', summary: 'Leave out who is whose parent' },
      { name: 'ignore-dependency-edges', summary: 'Leave out who depends on whom' },
      {
        name: 'parent-edge-color',
        value: 'colour',
        summary: 'Colour of edges to children (default #AA6639)',
      },
      {
        name: 'dependency-edge-color',
        value: 'colour',
        summary: 'Colour of edges to dependents (default #246C60)',
      },
      { name: 'short-node-name', summary: 'In DOT: show names instead of URNs' },
      {
        name: 'dot-fragment',
        value: 'text',
        summary: 'In DOT: text in the language of Graphviz to put into the graph',
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
    args: [tagArg, { name: 'value', summary: 'Its value', required: true }],
    flags: [stackFlag],
    examples: ['cairn stack tag set owner web-team'],
    load: () => import('../stack-tags.js').then(({ set }) => set),
  }),
  command({
    path: ['stack', 'change-secrets-provider'],
    summary: 'Protect the secrets of the stack in another way, or by a new key of the same',
    args: [
      {
        name: 'provider',
        summary:
          'passphrase, default, or the URL of a key: awskms://, azurekeyvault://, gcpkms://, hashivault://',
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
