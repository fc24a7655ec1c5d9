import type { FlagSpec } from './flag-spec.js';

const SERVICE = 'it needs the service that Pulumi hosts';

/** Flags of operations for the service of the other tool. */
export const serviceFlags = [
  { name: 'neo', summary: '', refused: SERVICE },
  { name: 'copilot', summary: '', refused: SERVICE },
  { name: 'neo-task-on-failure', summary: '', refused: SERVICE },
  { name: 'remote', summary: '', refused: SERVICE },
  {
    name: 'override-env',
    value: 'env=other',
    holds: 'list',
    summary: '',
    refused: 'stacks have no environments of a service that one could stand for',
  },
] as const satisfies readonly FlagSpec[];

/** Flags of `new` that are for the service of the other tool, or no longer have an effect there. */
export const serviceFlagsOfNew = [
  { name: 'ai', value: 'text', summary: '', refused: SERVICE },
  { name: 'language', value: 'text', summary: '', refused: SERVICE },
  {
    name: 'remote-stack-config',
    summary: '',
    refused: 'the configuration of a stack is a file of its project',
  },
  { name: 'template-mode', short: 't', hidden: true, summary: 'No effect: there is no other mode' },
] as const satisfies readonly FlagSpec[];

/** Flags of `login` for accounts of a service. */
export const accountFlags = [
  {
    name: 'default-org',
    value: 'organization',
    summary: '',
    refused: 'set CAIRN_DEFAULT_ORGANIZATION',
  },
  { name: 'insecure', summary: '', refused: 'certificates of a store are always checked' },
] as const satisfies readonly FlagSpec[];
