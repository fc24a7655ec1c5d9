import type { FlagSpec } from './flag-spec.js';

export const stackFlag = {
  name: 'stack',
  short: 's',
  value: 'name',
  summary: 'Use this stack (default: the selected one)',
} as const satisfies FlagSpec;

export const waitForLockFlag = {
  name: 'wait-for-lock',
  value: 'duration',
  summary: 'Wait up to this long if another command holds the lock of the stack, e.g. 90s, 10m or 1h30m',
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
  turnsOn: 'json',
  summary: 'Choose the output: default, or json (same as --json)',
} as const satisfies FlagSpec;

export const yesFlag = { name: 'yes', short: 'y', summary: 'Answer yes to confirmations' } as const;

export const showSecretsFlag = { name: 'show-secrets', summary: 'Show secret values in the clear' } as const;

export const secretsProviderFlag = {
  name: 'secrets-provider',
  value: 'type',
  summary:
    'Encrypt the secrets of a new stack with passphrase (default), or with the key of a URL: awskms://, azurekeyvault://, gcpkms://, hashivault://',
} as const satisfies FlagSpec;

export const timeFlag = {
  name: 'time',
  value: 'how',
  summary: 'Show times as rel (default) or abs',
} as const satisfies FlagSpec;

/** Selects a change by its kind. */
export const lastFlag = {
  name: 'last',
  value: 'kind',
  summary:
    'Choose the newest change of this kind, e.g. up; with a ? at the end, do not fail if there is none',
} as const satisfies FlagSpec;
