import type { RefusedCommand } from '../command-spec.js';

const SERVICE = 'it needs the service that Pulumi hosts';

const RUNS = 'Run `cairn agent runs --service URL --stack PROJECT/STACK`.';

/** Commands of Pulumi that need its service, or its own files. */
const ofPulumi: readonly RefusedCommand[] = [
  { path: ['api'], reason: SERVICE },
  {
    path: ['logs'],
    reason: 'it asks the service of a cloud for the logs of functions and containers',
    instead:
      'Use the command of the cloud. For operations of Cairn, run `cairn logs list` or `cairn change --last up`.',
  },
  {
    path: ['logs', 'decrypt'],
    reason: 'logs are not encrypted; secrets are masked in them',
    instead: '`cairn logs show` prints one.',
  },
  {
    path: ['logs', 'share'],
    reason: 'it encrypts a log for the support of Pulumi',
    instead: '`cairn logs show` prints one; check it before you share it.',
  },
  {
    path: ['deployment', 'run'],
    reason: 'agents take requests',
    instead: 'Run `cairn request up --service URL --stack PROJECT/STACK`.',
  },
  { path: ['deployment', 'list'], aliases: ['ls'], reason: 'they are runs of agents', instead: RUNS },
  { path: ['deployment', 'get'], reason: 'it is a run of an agent', instead: RUNS },
  { path: ['deployment', 'log'], reason: 'it is a run of an agent', instead: RUNS },
  {
    path: ['deployment', 'cancel'],
    reason: 'it is a run of an agent',
    instead: 'Run `cairn agent deny` for one that waits, `cairn cancel` for one that runs.',
  },
  {
    path: ['do'],
    reason: 'programs declare resources',
    instead: 'Declare it in a program and run `cairn up`, or import it with `cairn import`.',
  },
  {
    path: ['env'],
    aliases: ['esc'],
    reason: SERVICE,
    instead: '`cairn config set --secret` stores secrets with a stack.',
  },
  {
    path: ['config', 'env'],
    reason: SERVICE,
    instead: '`cairn config set --secret` stores secrets with a stack.',
  },
  { path: ['insights'], reason: SERVICE },
  { path: ['neo'], aliases: ['ai', 'copilot'], reason: SERVICE },
  { path: ['org'], reason: SERVICE },
  {
    path: ['template'],
    reason: SERVICE,
    instead: '`cairn new` takes a directory, a git address or an npm package.',
  },
  {
    path: ['project', 'list'],
    aliases: ['ls'],
    reason: 'a backend stores stacks, and each stack names its project',
    instead: '`cairn stack ls --all` lists the stacks of every project.',
  },
  {
    path: ['package', 'publish'],
    reason: SERVICE,
    instead: '`cairn package gen-sdk` writes an SDK that can be published.',
  },
  {
    path: ['package', 'publish-sdk'],
    reason: 'registries have commands of their own for this',
    instead: '`cairn package gen-sdk` writes the SDK; publish it with e.g. `npm publish`.',
  },
  {
    path: ['package', 'pack-sdk'],
    reason: 'package managers have commands of their own for this',
    instead: '`cairn package gen-sdk` writes the SDK; pack it with e.g. `npm pack`.',
  },
  { path: ['policy', 'compliance'], reason: SERVICE },
  { path: ['policy', 'disable'], reason: SERVICE, instead: 'Leave --policy-pack out.' },
  { path: ['policy', 'enable'], reason: SERVICE, instead: '`cairn up --policy-pack DIRECTORY` runs a pack.' },
  { path: ['policy', 'group'], reason: SERVICE },
  { path: ['policy', 'issue'], reason: SERVICE },
  { path: ['policy', 'ls'], aliases: ['list'], reason: SERVICE },
  {
    path: ['policy', 'publish'],
    reason: SERVICE,
    instead: '`cairn up --policy-pack DIRECTORY` runs a pack.',
  },
  { path: ['policy', 'rm'], aliases: ['remove', 'delete'], reason: SERVICE },
  {
    path: ['events'],
    reason: 'it is a tool for authors of displays',
    instead: '`--event-log FILE` writes the events.',
  },
  { path: ['generate-cli-spec'], reason: 'the commands are described in docs/cli.md only' },
  {
    path: ['package', 'remove'],
    aliases: ['rm', 'delete'],
    reason: 'package managers have commands for this',
    instead: 'Run `npm uninstall NAME`, and remove it from "packages" in the project file.',
  },
  {
    path: ['policy', 'install'],
    reason: SERVICE,
    instead: '`cairn up --policy-pack DIRECTORY` runs a pack.',
  },
  {
    path: ['policy', 'validate-config'],
    reason: SERVICE,
    instead: 'Run `cairn preview --policy-pack DIRECTORY --policy-pack-config FILE`.',
  },
  {
    path: ['stack', 'history', 'events'],
    reason: 'the records of changes contain the events',
    instead: '`cairn change ID` shows one.',
  },
  {
    path: ['replay-events'],
    reason: 'it is a tool for authors of the display of Pulumi',
    instead: '`--event-log FILE` writes the events.',
  },
  {
    path: ['view-trace'],
    reason: 'it reads a file format of Pulumi',
    instead: '`cairn change ID` shows how long each step of a change took.',
  },
  {
    path: ['convert-trace'],
    reason: 'it reads a file format of Pulumi',
    instead: '`cairn change ID` shows how long each step of a change took.',
  },
  {
    path: ['gen-markdown'],
    reason: 'the command reference is part of the sources',
    instead: 'Read docs/cli.md; `cairn COMMAND --help` prints the same.',
  },
];

const terraform = (path: readonly string[], instead: string): RefusedCommand => ({
  path,
  reason: "it is Terraform's",
  instead,
});

/** Words of Terraform and OpenTofu that people type out of habit. */
const ofTerraform: readonly RefusedCommand[] = [
  terraform(['plan'], '`cairn preview` shows what would change; with --save-plan FILE it keeps the plan.'),
  terraform(['apply'], '`cairn up` makes the changes; `cairn up --plan FILE` follows a saved plan.'),
  terraform(
    ['init'],
    '`cairn new` creates a project, `cairn login` chooses the backend, `npm install` installs packages.',
  ),
  terraform(['fmt'], 'Programs are code: format them with a formatter such as prettier.'),
  terraform(['validate'], '`cairn preview --typecheck` checks types and inputs, and changes nothing.'),
  terraform(['show'], '`cairn stack` shows the stack, `cairn state get URN` one resource.'),
  terraform(['output'], '`cairn stack output` prints outputs.'),
  terraform(['graph'], '`cairn stack graph FILE` writes the graph.'),
  terraform(['taint'], '`cairn state taint URN` marks a resource; `cairn up --replace URN` replaces it.'),
  terraform(['untaint'], '`cairn state untaint URN` removes the mark.'),
  terraform(
    ['workspace'],
    '`cairn stack ls`, `select`, `init` and `rm` manage stacks, one for each deployment.',
  ),
  terraform(['force-unlock'], '`cairn cancel` releases the lock of a stack.'),
  terraform(
    ['providers'],
    '`cairn package add terraform-provider NAME` generates a typed package of a provider.',
  ),
  terraform(['get'], '`npm install` installs the packages of a program.'),
  terraform(['state', 'show'], '`cairn state get URN` shows a resource.'),
  terraform(['state', 'pull'], '`cairn stack export` writes the state.'),
  terraform(['state', 'push'], '`cairn stack import` replaces the state.'),
];

/** Every command that is known but not offered. */
export const refusedCommands: readonly RefusedCommand[] = [...ofPulumi, ...ofTerraform];
