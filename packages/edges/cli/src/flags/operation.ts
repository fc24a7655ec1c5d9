import { OPERATION_OPTIONS as OPTIONS } from '@cairn/operations/options';
import { only } from './flag-spec.js';
import type { FlagSpec, FlagValues } from './flag-spec.js';
import type { GlobalFlags } from './global.js';
import { serviceFlags } from './refused.js';
import { configFileFlag, jsonFlag, lockedFlags, showSecretsFlag, yesFlag } from './stack.js';
import type { secretsProviderFlag } from './stack.js';

/** Further flags for the display of an operation. */
export const lookFlags = [
  { name: 'show-config', summary: 'Show the configuration of the operation' },
  { name: 'show-reads', summary: 'List resources that are only read, too' },
  { name: 'show-full-output', summary: 'Show long values in full' },
  { name: 'urns', summary: 'Show URNs instead of names' },
  { name: 'suppress-progress', summary: 'Do not print the steps that still run every ten seconds' },
  {
    name: 'suppress-permalink',
    summary: 'Do not print the address of the page',
  },
] as const satisfies readonly FlagSpec[];

/** Display flag of operations whose policies are checked. */
export const policyLookFlag = {
  name: 'show-policy-remediations',
  summary: 'No effect: remediations are always shown',
} as const satisfies FlagSpec;

/** Further flags for the inputs of a program and for the lookup of plugins. */
const programFlags = [
  { name: 'config-path', summary: 'Treat keys of --config as paths into structured values' },
  {
    name: 'skip-config-validation',
    summary: 'Run even if the project file does not allow the configuration',
  },
  {
    name: 'skip-plugin-pre-install',
    summary: 'No effect: plugins are found when needed',
  },
] as const satisfies readonly FlagSpec[];

/** Attaches a debugger to the program or to plugins. */
export const debuggerFlag = {
  name: 'attach-debugger',
  value: 'what',
  alone: 'program',
  summary:
    'Wait for a debugger in the program (default), plugins, plugin:NAME or all; separate several by commas',
} as const satisfies FlagSpec;

/** Writes a list for imports from a preview. */
export const importFileFlag = {
  name: 'import-file',
  value: 'path',
  summary: 'Write the resources that would be created to this file, for `cairn import --file`',
} as const satisfies FlagSpec;

/** Writes the findings of a converter. */
export const generateResourcesFlag = {
  name: 'generate-resources',
  value: 'path',
  summary: 'Write the resources that the converter found to this file, with --from CONVERTER',
} as const satisfies FlagSpec;

/** Flags of operations that plan and change resources. */
export const operationFlags = [
  ...lockedFlags,
  OPTIONS.message,
  OPTIONS.parallel,
  OPTIONS.targets,
  OPTIONS.targetDependents,
  OPTIONS.excludes,
  OPTIONS.excludeDependents,
  {
    name: 'config',
    short: 'c',
    value: 'key=value',
    holds: 'list',
    summary: 'Set configuration for this stack first',
  },
  configFileFlag,
  { name: 'diff', summary: 'Show every changed property' },
  jsonFlag,
  {
    name: 'output',
    value: 'form',
    summary: 'Choose the output: default, or json for one line of JSON at the end',
  },
  {
    name: 'event-log',
    value: 'target',
    summary: 'Write every event as a line of JSON to this file, or send it to tcp://host:port',
  },
  {
    name: 'summary',
    value: 'file',
    summary: 'Write a Markdown summary to this file, e.g. for a pull request; secrets stay masked',
  },
  {
    name: 'report',
    value: 'file',
    summary: 'Write an HTML report to this file, with reasons, diffs, graph and times; secrets stay masked',
  },
  {
    name: 'graph',
    value: 'file',
    summary: 'Draw the resources, coloured by step, to this file: .svg, .html, .mmd or .dot',
  },
  OPTIONS.refresh,
  OPTIONS.continueOnError,
  OPTIONS.strictProviders,
  { name: 'expect-no-changes', summary: 'Fail if anything would change' },
  { name: 'show-sames', summary: 'List unchanged resources too' },
  {
    name: 'show-replacement-steps',
    summary: 'List both steps of a replacement: the create and the delete',
  },
  { name: 'suppress-outputs', summary: 'Do not show the outputs of the stack' },
  showSecretsFlag,
  ...lookFlags,
  ...programFlags,
  ...serviceFlags,
] as const satisfies readonly FlagSpec[];

/** Flags of operations that may replace objects with new ones. */
export const replaceFlags = [OPTIONS.replace, OPTIONS.targetReplace] as const;

/** Flags that forbid steps of an up; it refuses them before it has an effect. */
export const unexpectedFlags = [OPTIONS.expectNoReplacements, OPTIONS.expectNoDeletes] as const;

/** Selects several stacks in one command. */
export const stacksFlag = {
  name: 'stacks',
  value: 'pattern',
  holds: 'list',
  summary:
    'Run on these stacks of the project, each after the stacks whose outputs it reads; * matches anything',
} as const satisfies FlagSpec;

/** Flags that report to a refresh the outcome of creates which an operation left unfinished. */
export const pendingCreateFlags = [
  {
    name: 'clear-pending-creates',
    summary: 'Remove creates with an unknown outcome from the state, as if they had created nothing',
  },
  {
    name: 'import-pending-creates',
    value: 'urn-or-id',
    holds: 'list',
    summary:
      'Adopt a create with an unknown outcome: pass its URN, then pass the flag again with the id of the object',
  },
  { name: 'skip-pending-creates', summary: 'Do not ask about creates with an unknown outcome' },
] as const satisfies readonly FlagSpec[];

/** Flags by which libraries that run this command identify themselves and the program they serve. */
export const libraryFlags = [
  {
    name: 'client',
    value: 'host:port',
    summary: 'Run the program with the language host at this address',
  },
  {
    name: 'exec-kind',
    value: 'kind',
    hidden: true,
    summary: 'Record how this command was started',
  },
  {
    name: 'exec-agent',
    value: 'name',
    hidden: true,
    summary: 'Record which tool started it',
  },
] as const satisfies readonly FlagSpec[];

/** Writes the digest of the state to a file, or expects it: an agent has made a preview of that state. */
export const baseFlag = {
  name: 'base',
  value: 'base',
  hidden: true,
  summary: 'For an agent',
} as const satisfies FlagSpec;

/** Saves the plan of an update to a file, and asks at descriptor 3 whether to follow it: an agent decides. */
export const askFlag = { ...baseFlag, name: 'ask' } as const satisfies FlagSpec;

/** Flags of operations that are constrained by a plan. */
export const planFlags = [
  {
    name: 'plan',
    value: 'file',
    summary: 'Fail if the update would do anything that is not in this saved plan',
  },
  { name: 'strict', summary: 'Fail if the update would do anything that its preview did not show' },
] as const satisfies readonly FlagSpec[];

/** Saves the plan of a preview. */
export const savePlanFlag = {
  name: 'save-plan',
  value: 'file',
  summary: 'Save the plan to this file, for `cairn up --plan`',
} as const satisfies FlagSpec;

/** Flags of policy packs that an up, or its preview, must pass. */
export const policyFlags = [OPTIONS.policyPacks, OPTIONS.policyPackConfigs] as const;

/** Flags of operations that ask before they act. */
export const confirmFlags = [
  yesFlag,
  { name: 'skip-preview', short: 'f', summary: 'Skip the preview' },
] as const satisfies readonly FlagSpec[];

/** Flags for the effect of an error on the steps already taken, and its reach. */
export const errorFlags = [OPTIONS.onError, OPTIONS.isolate] as const;

/** Flags for the effect of an error on a continued change. They default to the values of the change. */
export const errorFlagsAnew = [
  {
    ...OPTIONS.onError,
    summary: 'Handle further errors this way: stop, continue or rollback (default: as before)',
  },
  {
    ...OPTIONS.isolate,
    summary: 'Choose what fails and rolls back together: none, component or resource (default: as before)',
  },
] as const satisfies readonly FlagSpec[];

/** Flags of operations that can continue in the background. */
export const detachFlags = [
  {
    name: 'detach',
    summary: 'Run in the background and print the id of the change, for follow, change and abort',
  },
  { name: 'no-wait', summary: 'Same as --detach' },
] as const satisfies readonly FlagSpec[];

/** Flags of commands that resume or roll back a change: the display, and the number of parallel steps. */
export const goOnFlags = only(operationFlags, [
  ...(['stack', 'wait-for-lock', 'config-file', 'parallel', 'diff', 'json', 'output', 'event-log'] as const),
  ...(['summary', 'report', 'graph', 'show-sames', 'show-replacement-steps', 'suppress-outputs'] as const),
  ...(['show-secrets', 'message'] as const),
  ...lookFlags.map(({ name }) => name),
]);

/** Shows the effect of a command that changes resources, without running it. */
export const previewOnlyFlag = {
  name: 'preview-only',
  summary: 'Show what would be done and stop; not with --yes or --skip-preview',
} as const satisfies FlagSpec;

/** Flags of an import, in addition to those of all operations. */
export const importFlags = [
  {
    name: 'from',
    value: 'tool',
    summary:
      'Import from another tool: terraform adopts a whole state of Terraform or OpenTofu, whose file is the argument; any other name runs the converter plugin of that name with the arguments',
  },
  {
    name: 'map',
    value: 'path',
    summary:
      'Write the URN of each Terraform address to this file, with --from terraform (default terraform-addresses.json)',
  },
  { name: 'file', short: 'f', value: 'path', summary: 'Import the resources in this JSON list' },
  OPTIONS.parent,
  OPTIONS.provider,
  OPTIONS.properties,
  OPTIONS.protect,
  OPTIONS.generateCode,
  OPTIONS.out,
  previewOnlyFlag,
] as const satisfies readonly FlagSpec[];

type Rows = readonly [
  ...typeof operationFlags,
  ...typeof unexpectedFlags,
  ...typeof replaceFlags,
  ...typeof libraryFlags,
  ...typeof pendingCreateFlags,
  ...typeof planFlags,
  ...typeof policyFlags,
  ...typeof confirmFlags,
  ...typeof errorFlags,
  ...typeof detachFlags,
  ...[typeof stacksFlag, typeof OPTIONS.ignoreProtect, typeof OPTIONS.runProgram, typeof savePlanFlag],
  typeof OPTIONS.noDigests,
  ...[
    typeof baseFlag,
    typeof askFlag,
    typeof previewOnlyFlag,
    typeof debuggerFlag,
    typeof importFileFlag,
    typeof secretsProviderFlag,
  ],
];

/** Values of flags that operations share, for code that serves several of them. Each may lack any of them. */
export type OperationFlags = GlobalFlags & Partial<FlagValues<Rows>>;

/** Values of flags that commands on stacks share. They may have others of these names. */
export type StackFlags = Omit<OperationFlags, 'parallel' | 'target'>;

/** Values of the flags of an import. */
export type ImportFlags = OperationFlags &
  FlagValues<readonly [...typeof importFlags, typeof generateResourcesFlag]>;
