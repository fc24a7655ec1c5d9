import { OPERATION_OPTIONS as OPTIONS } from '@cairn/operations/options';
import { only } from './flag-spec.js';
import type { FlagSpec, FlagValues } from './flag-spec.js';
import type { GlobalFlags } from './global.js';
import { serviceFlags } from './refused.js';
import { configFileFlag, jsonFlag, lockedFlags, showSecretsFlag, yesFlag } from './stack.js';
import type { secretsProviderFlag } from './stack.js';

/** Further flags for the display of an operation. */
export const lookFlags = [
  { name: 'show-config', summary: 'Show the configuration that the operation has' },
  { name: 'show-reads', summary: 'List resources that are read too' },
  { name: 'show-full-output', summary: 'Show long values in full' },
  { name: 'urns', summary: 'Show URNs in place of names' },
  { name: 'suppress-progress', summary: 'Leave out the line every ten seconds about what still runs' },
  {
    name: 'suppress-permalink',
    summary: 'No effect: results have no page on the web, so that no link is printed',
  },
] as const satisfies readonly FlagSpec[];

/** Display flag of operations whose policies are checked. */
export const policyLookFlag = {
  name: 'show-policy-remediations',
  summary: 'No effect: each remediation is shown anyway',
} as const satisfies FlagSpec;

/** Further flags for the inputs of a program and for the lookup of plugins. */
const programFlags = [
  { name: 'config-path', summary: 'Keys of --config are paths into structured values' },
  {
    name: 'skip-config-validation',
    summary: 'Run with a configuration that the project file does not allow',
  },
  {
    name: 'skip-plugin-pre-install',
    summary: 'No effect: plugins are looked for when something needs them, not before',
  },
] as const satisfies readonly FlagSpec[];

/** Attaches a debugger to the program or to plugins. */
export const debuggerFlag = {
  name: 'attach-debugger',
  value: 'what',
  alone: 'program',
  summary:
    'Wait for a debugger, and say where: at the program (default), plugins, plugin:NAME or all; several with commas',
} as const satisfies FlagSpec;

/** Writes a list for imports from a preview. */
export const importFileFlag = {
  name: 'import-file',
  value: 'path',
  summary: 'Write what would be created to this file, as a list for `cairn import --file`',
} as const satisfies FlagSpec;

/** Writes the findings of a converter. */
export const generateResourcesFlag = {
  name: 'generate-resources',
  value: 'path',
  summary: 'Write the list of what a converter has found to this file (with --from CONVERTER)',
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
  { name: 'output', value: 'form', summary: 'default, or json: one line of JSON with the result at the end' },
  {
    name: 'event-log',
    value: 'target',
    summary: 'Write every event as a line of JSON to this file, or send it to tcp://host:port',
  },
  {
    name: 'summary',
    value: 'file',
    summary: 'Write what happens as Markdown to this file, e.g. for a pull request; secrets stay masked',
  },
  {
    name: 'report',
    value: 'file',
    summary:
      'Write what happens as a page of HTML to this file, with reasons, diffs, graph and times; secrets stay masked',
  },
  {
    name: 'graph',
    value: 'file',
    summary: 'Draw the resources in the colours of their steps into this file: .svg, .html, .mmd or .dot',
  },
  OPTIONS.refresh,
  OPTIONS.continueOnError,
  OPTIONS.strictProviders,
  { name: 'expect-no-changes', summary: 'Fail when anything would change' },
  { name: 'show-sames', summary: 'List unchanged resources too' },
  {
    name: 'show-replacement-steps',
    summary: 'List the halves of a replacement too: the new object, the original that goes',
  },
  { name: 'suppress-outputs', summary: 'Leave out the outputs of the stack' },
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
  summary: 'These stacks of the project, each after those whose outputs it refers to; * stands for anything',
} as const satisfies FlagSpec;

/** Flags that report to a refresh the outcome of creates which an operation left unfinished. */
export const pendingCreateFlags = [
  {
    name: 'clear-pending-creates',
    summary: 'Creates without a known end have made nothing: take them out of the state',
  },
  {
    name: 'import-pending-creates',
    value: 'urn-or-id',
    holds: 'list',
    summary: 'URN of a create without a known end; given again: the id of the object it has made; in pairs',
  },
  { name: 'skip-pending-creates', summary: 'Ask nothing about creates without a known end' },
] as const satisfies readonly FlagSpec[];

/** Flags by which libraries that run this command identify themselves and the program they serve. */
export const libraryFlags = [
  {
    name: 'client',
    value: 'host:port',
    summary: 'Run the program by the language host that is served there, not by that of the project',
  },
  {
    name: 'exec-kind',
    value: 'kind',
    hidden: true,
    summary: 'How this command was started, e.g. auto.inline; kept in the history of the stack',
  },
  {
    name: 'exec-agent',
    value: 'name',
    hidden: true,
    summary: 'The tool that has started this command; kept in the history of the stack',
  },
] as const satisfies readonly FlagSpec[];

/** Flags of operations that are constrained by a plan. */
export const planFlags = [
  { name: 'plan', value: 'file', summary: 'Take no step that this saved plan does not have' },
  { name: 'strict', summary: 'Take no step that the preview of this very command has not shown' },
] as const satisfies readonly FlagSpec[];

/** Saves the plan of a preview. */
export const savePlanFlag = {
  name: 'save-plan',
  value: 'file',
  summary: 'Save the plan to this file, to hold a later up to it',
} as const satisfies FlagSpec;

/** Flags of policy packs that an up, or its preview, must pass. */
export const policyFlags = [OPTIONS.policyPacks, OPTIONS.policyPackConfigs] as const;

/** Flags of operations that ask before they act. */
export const confirmFlags = [
  yesFlag,
  { name: 'skip-preview', short: 'f', summary: 'Act without showing a preview first' },
] as const satisfies readonly FlagSpec[];

/** Flags for the effect of an error on the steps already taken, and its reach. */
export const errorFlags = [OPTIONS.onError, OPTIONS.isolate] as const;

/** Flags for the effect of an error on a continued change. They default to the values of the change. */
export const errorFlagsAnew = [
  { ...OPTIONS.onError, summary: 'stop, continue or rollback from now on (default: as before)' },
  {
    ...OPTIONS.isolate,
    summary: 'What fails and is rolled back together: none, component or resource (default: as before)',
  },
] as const satisfies readonly FlagSpec[];

/** Flags of operations that can continue in the background. */
export const detachFlags = [
  {
    name: 'detach',
    summary: 'Go on in the background; print the id of the change, for follow, change and abort',
  },
  { name: 'no-wait', summary: 'The same as --detach' },
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
  summary: 'Show what would be done, and stop; not together with --yes or --skip-preview',
} as const satisfies FlagSpec;

/** Flags of an import, in addition to those of all operations. */
export const importFlags = [
  {
    name: 'from',
    value: 'tool',
    summary:
      'terraform: take over a whole state of Terraform or OpenTofu; its file is the argument. Another word: the converter plugin of that name makes the list, and gets the arguments',
  },
  {
    name: 'map',
    value: 'path',
    summary:
      'Write to this file which address has become which URN (with --from terraform; default terraform-addresses.json)',
  },
  { name: 'file', short: 'f', value: 'path', summary: 'Import what this JSON list names' },
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
  ...[typeof previewOnlyFlag, typeof debuggerFlag, typeof importFileFlag, typeof secretsProviderFlag],
];

/** Values of flags that operations share, for code that serves several of them. Each may lack any of them. */
export type OperationFlags = GlobalFlags & Partial<FlagValues<Rows>>;

/** Values of flags that commands on stacks share. They may have others of these names. */
export type StackFlags = Omit<OperationFlags, 'parallel' | 'target'>;

/** Values of the flags of an import. */
export type ImportFlags = OperationFlags &
  FlagValues<readonly [...typeof importFlags, typeof generateResourcesFlag]>;
