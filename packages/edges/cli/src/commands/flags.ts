import { OPERATION_OPTIONS } from '@cairn/operations/options';
import type { OptionRow } from '@cairn/operations/options';
import type { FlagSpec } from '../command-spec.js';
import { logFlags, lookFlags, programFlags, serviceFlags } from './more-flags.js';

/** Returns the flag of an option of operations. */
export function optionFlag(field: keyof typeof OPERATION_OPTIONS): FlagSpec {
  const row: OptionRow = OPERATION_OPTIONS[field];
  const { name, short, value, variable, summary, holds } = row;
  return {
    ...{ name, summary },
    ...(short !== undefined && { short }),
    ...(value !== undefined && { value }),
    ...(variable !== undefined && { variable }),
    ...(holds === 'count' && { kind: 'count' as const }),
    ...(holds === 'list' && { repeat: true }),
    ...(holds === 'switch' && row.standard === 'on' && { standard: 'on' as const }),
  };
}

/** Flags of every command. */
export const globalFlags: readonly FlagSpec[] = [
  { name: 'cwd', short: 'C', value: 'directory', summary: 'Run as if started in this directory' },
  { name: 'non-interactive', summary: 'Never prompt; fail and name the flag that would have answered' },
  {
    name: 'color',
    value: 'when',
    summary: 'Colour output: auto, always, never or raw (default auto); raw is never',
  },
  { name: 'backend-url', value: 'url', summary: 'Use this backend instead of the one logged in to' },
  {
    name: 'disable-integrity-checking',
    summary: 'Use and store a state although it is not consistent, e.g. to mend it',
  },
  { name: 'emoji', short: 'e', summary: 'Put an emoji in front of the titles of operations' },
  {
    name: 'fully-qualify-stack-names',
    short: 'Q',
    summary: 'Name stacks as organization/project/stack',
  },
  ...logFlags,
  {
    name: 'tracing-header',
    value: 'text',
    summary: '',
    refused: 'the header would be for the service that Pulumi hosts',
  },
  { name: 'debug', short: 'd', summary: 'Show debug messages and stack traces of internal errors' },
];

export const stackFlag: FlagSpec = {
  name: 'stack',
  short: 's',
  value: 'name',
  summary: 'The stack to work on (default: the selected one)',
};

export const waitForLockFlag: FlagSpec = {
  name: 'wait-for-lock',
  value: 'duration',
  summary: 'Wait so long for the lock of the stack while another command has it, e.g. 90s, 10m or 1h30m',
};

/** Flags of commands that take the lock of a stack. */
export const lockedFlags: readonly FlagSpec[] = [stackFlag, waitForLockFlag];

export const configFileFlag: FlagSpec = {
  name: 'config-file',
  value: 'path',
  summary: 'Use this file as the configuration of the stack',
};

const outputFlag: FlagSpec = {
  name: 'output',
  value: 'form',
  summary: 'default, or json: one line of JSON with the result at the end',
};

const eventLogFlag: FlagSpec = {
  name: 'event-log',
  value: 'target',
  summary: 'Write every event as a line of JSON to this file, or send it to tcp://host:port',
};

const summaryFlag: FlagSpec = {
  name: 'summary',
  value: 'file',
  summary: 'Write what happens as Markdown to this file, e.g. for a pull request; secrets stay masked',
};

const reportFlag: FlagSpec = {
  name: 'report',
  value: 'file',
  summary:
    'Write what happens as a page of HTML to this file, with reasons, diffs, graph and times; secrets stay masked',
};

const graphFlag: FlagSpec = {
  name: 'graph',
  value: 'file',
  summary: 'Draw the resources in the colours of their steps into this file: .svg, .html, .mmd or .dot',
};

export const jsonFlag: FlagSpec = { name: 'json', short: 'j', summary: 'Print JSON instead of text' };

export const yesFlag: FlagSpec = { name: 'yes', short: 'y', summary: 'Answer yes to confirmations' };

export const showSecretsFlag: FlagSpec = { name: 'show-secrets', summary: 'Show secret values in the clear' };

export const secretsProviderFlag: FlagSpec = {
  name: 'secrets-provider',
  value: 'type',
  summary:
    'How secrets of a new stack are encrypted: passphrase (default), or the URL of a key: awskms://, azurekeyvault://, gcpkms://, hashivault://',
};

/** Flags of operations that plan and change resources. */
export const operationFlags: readonly FlagSpec[] = [
  ...lockedFlags,
  optionFlag('message'),
  optionFlag('parallel'),
  optionFlag('targets'),
  optionFlag('targetDependents'),
  optionFlag('excludes'),
  optionFlag('excludeDependents'),
  {
    name: 'config',
    short: 'c',
    value: 'key=value',
    repeat: true,
    summary: 'Set configuration for this stack first',
  },
  configFileFlag,
  { name: 'diff', summary: 'Show every changed property' },
  jsonFlag,
  outputFlag,
  eventLogFlag,
  summaryFlag,
  reportFlag,
  graphFlag,
  optionFlag('refresh'),
  optionFlag('continueOnError'),
  optionFlag('strictProviders'),
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
];

/** Flags of operations that may replace objects with new ones. */
export const replaceFlags: readonly FlagSpec[] = [optionFlag('replace'), optionFlag('targetReplace')];

/** Flags that forbid steps of an up; it refuses them before it has an effect. */
export const unexpectedFlags: readonly FlagSpec[] = [
  optionFlag('expectNoReplacements'),
  optionFlag('expectNoDeletes'),
];

/** Selects several stacks in one command. */
export const stacksFlag: FlagSpec = {
  name: 'stacks',
  value: 'pattern',
  repeat: true,
  summary: 'These stacks of the project, each after those whose outputs it refers to; * stands for anything',
};

export const ignoreProtectFlag: FlagSpec = optionFlag('ignoreProtect');

export const runProgramFlag: FlagSpec = optionFlag('runProgram');

/** Flags that report to a refresh the outcome of creates which an operation left unfinished. */
export const pendingCreateFlags: readonly FlagSpec[] = [
  {
    name: 'clear-pending-creates',
    summary: 'Creates without a known end have made nothing: take them out of the state',
  },
  {
    name: 'import-pending-creates',
    value: 'urn-or-id',
    repeat: true,
    summary: 'URN of a create without a known end; given again: the id of the object it has made; in pairs',
  },
  { name: 'skip-pending-creates', summary: 'Ask nothing about creates without a known end' },
];

/** Flags by which libraries that run this command identify themselves and the program they serve. */
export const libraryFlags: readonly FlagSpec[] = [
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
];

/** Flags of operations that are constrained by a plan. */
export const planFlags: readonly FlagSpec[] = [
  { name: 'plan', value: 'file', summary: 'Take no step that this saved plan does not have' },
  { name: 'strict', summary: 'Take no step that the preview of this very command has not shown' },
];

/** Saves the plan of a preview. */
export const savePlanFlag: FlagSpec = {
  name: 'save-plan',
  value: 'file',
  summary: 'Save the plan to this file, to hold a later up to it',
};

/** Flags of policy packs that an up, or its preview, must pass. */
export const policyFlags: readonly FlagSpec[] = [optionFlag('policyPacks'), optionFlag('policyPackConfigs')];

/** Flags of operations that ask before they act. */
export const confirmFlags: readonly FlagSpec[] = [
  yesFlag,
  { name: 'skip-preview', short: 'f', summary: 'Act without showing a preview first' },
];

/** Flags for the effect of an error on the steps already taken, and its reach. */
export const errorFlags: readonly FlagSpec[] = [optionFlag('onError'), optionFlag('isolate')];

/** Flags for the effect of an error on a continued change. They default to the values of the change. */
export const errorFlagsAnew: readonly FlagSpec[] = [
  { ...optionFlag('onError'), summary: 'stop, continue or rollback from now on (default: as before)' },
  {
    ...optionFlag('isolate'),
    summary: 'What fails and is rolled back together: none, component or resource (default: as before)',
  },
];

/** Flags of operations that can continue in the background. */
export const detachFlags: readonly FlagSpec[] = [
  {
    name: 'detach',
    summary: 'Go on in the background; print the id of the change, for follow, change and abort',
  },
  { name: 'no-wait', summary: 'The same as --detach' },
];

export const timeFlag: FlagSpec = { name: 'time', value: 'how', summary: 'Times: rel (default) or abs' };

/** Selects a change by its kind. */
export const lastFlag: FlagSpec = {
  name: 'last',
  value: 'kind',
  summary: 'The newest change of this kind, e.g. up; with a ? at its end it is no error when there is none',
};

/** Flags of commands that resume or roll back a change: the display, and the number of parallel steps. */
export const goOnFlags: readonly FlagSpec[] = operationFlags.filter(({ name }) =>
  [
    'stack',
    'wait-for-lock',
    'config-file',
    'parallel',
    'diff',
    'json',
    'output',
    'event-log',
    'summary',
    'report',
    'graph',
    'show-sames',
    'show-replacement-steps',
    'suppress-outputs',
    'show-secrets',
    'message',
    ...lookFlags.map(({ name: look }) => look),
  ].includes(name),
);

/** Flags of an import, in addition to those of all operations. */
/** Shows the effect of a command that changes resources, without running it. */
export const previewOnlyFlag: FlagSpec = {
  name: 'preview-only',
  summary: 'Show what would be done, and stop; not together with --yes or --skip-preview',
};

export const importFlags: readonly FlagSpec[] = [
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
  optionFlag('parent'),
  optionFlag('provider'),
  optionFlag('properties'),
  optionFlag('protect'),
  optionFlag('generateCode'),
  optionFlag('out'),
  previewOnlyFlag,
];
