import type { FlagSpec } from './flag-spec.js';

export const stackFlag = {
  name: 'stack',
  short: 's',
  value: 'name',
  summary: 'The stack to work on (default: the selected one)',
} as const satisfies FlagSpec;

export const waitForLockFlag = {
  name: 'wait-for-lock',
  value: 'duration',
  summary: 'Wait so long for the lock of the stack while another command has it, e.g. 90s, 10m or 1h30m',
} as const satisfies FlagSpec;

/** Flags of commands that take the lock of a stack. */
export const lockedFlags = [stackFlag, waitForLockFlag] as const;

export const configFileFlag = {
  name: 'config-file',
  value: 'path',
  summary: 'Use this file as the configuration of the stack',
} as const satisfies FlagSpec;

export const jsonFlag = { name: 'json', short: 'j', summary: 'Print JSON instead of text' } as const;

/** `--output json`, another spelling of `--json`. */
export const outputFormFlag = {
  name: 'output',
  value: 'form',
  stands: 'json',
  summary: 'default, or json: the same as --json',
} as const satisfies FlagSpec;

export const yesFlag = { name: 'yes', short: 'y', summary: 'Answer yes to confirmations' } as const;

export const showSecretsFlag = { name: 'show-secrets', summary: 'Show secret values in the clear' } as const;

export const secretsProviderFlag = {
  name: 'secrets-provider',
  value: 'type',
  summary:
    'How secrets of a new stack are encrypted: passphrase (default), or the URL of a key: awskms://, azurekeyvault://, gcpkms://, hashivault://',
} as const satisfies FlagSpec;

export const timeFlag = {
  name: 'time',
  value: 'how',
  summary: 'Times: rel (default) or abs',
} as const satisfies FlagSpec;

/** Selects a change by its kind. */
export const lastFlag = {
  name: 'last',
  value: 'kind',
  summary: 'The newest change of this kind, e.g. up; with a ? at its end it is no error when there is none',
} as const satisfies FlagSpec;
