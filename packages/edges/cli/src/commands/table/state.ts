import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import {
  jsonFlag,
  lockedFlags,
  outputFormFlag,
  showSecretsFlag,
  stackFlag,
  yesFlag,
} from '../../flags/stack.js';

const urnsArg = { name: 'urn', summary: 'URN of a resource', required: false, repeat: true };
const notAskedFlag = {
  name: 'yes',
  short: 'y',
  summary: 'No effect: accepted for scripts written for Pulumi',
} as const;
const allFlag = { name: 'all', summary: 'Change every resource of the stack' } as const;

/** Commands for single resources in a state. */
export const stateCommands: readonly CommandSpec[] = [
  command({
    path: ['state', 'list'],
    aliases: ['ls'],
    summary: 'List the URNs of the resources in the state',
    args: [{ name: 'filter', summary: 'URN or part of one; * and ** are wildcards', required: false }],
    flags: [stackFlag, jsonFlag],
    examples: ['cairn state list', "cairn state list '**Bucket**'"],
    load: () => import('../state-show.js').then(({ list }) => list),
  }),
  command({
    path: ['state', 'get'],
    summary: 'Show a resource as the state records it',
    args: [
      { name: 'resource', summary: 'URN of the resource, or its name if it is unique', required: false },
    ],
    flags: [stackFlag, showSecretsFlag, jsonFlag, outputFormFlag],
    examples: ['cairn state get logs', 'cairn state get logs --json'],
    load: () => import('../state-show.js').then(({ get }) => get),
  }),
  command({
    path: ['state', 'delete'],
    aliases: ['rm', 'remove'],
    summary: 'Remove resources from the state; their objects stay and are no longer managed',
    args: [urnsArg],
    flags: [
      ...lockedFlags,
      yesFlag,
      { name: 'force', short: 'f', summary: 'Remove protected resources, too' },
      { name: 'target-dependents', summary: 'Remove resources that depend on them, too' },
      allFlag,
    ],
    examples: ["cairn state delete 'urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs'"],
    load: () => import('../state-edits.js').then(({ remove }) => remove),
  }),
  command({
    path: ['state', 'protect'],
    summary: 'Protect resources against being deleted or replaced',
    args: [urnsArg],
    flags: [...lockedFlags, yesFlag, allFlag],
    examples: ["cairn state protect 'urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs' --yes"],
    load: () => import('../state-edits.js').then(({ protect }) => protect),
  }),
  command({
    path: ['state', 'unprotect'],
    summary: 'Remove the protection of resources',
    args: [urnsArg],
    flags: [...lockedFlags, yesFlag, allFlag],
    examples: ['cairn state unprotect --all --yes'],
    load: () => import('../state-edits.js').then(({ unprotect }) => unprotect),
  }),
  command({
    path: ['state', 'rename'],
    summary: 'Rename a resource, as its program did',
    args: [
      { name: 'urn', summary: 'URN of the resource', required: true },
      { name: 'name', summary: 'The new name', required: true },
    ],
    flags: [...lockedFlags, yesFlag],
    examples: ["cairn state rename 'urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs' archive"],
    load: () => import('../state-edits.js').then(({ rename }) => rename),
  }),
  command({
    path: ['state', 'move'],
    aliases: ['mv'],
    summary: 'Move resources and their children to another stack',
    args: [urnsArg],
    flags: [
      ...lockedFlags,
      yesFlag,
      { name: 'source', value: 'stack', summary: 'Move from this stack (default: the selected one)' },
      { name: 'dest', value: 'stack', summary: 'Move to this stack (default: the selected one)' },
      { name: 'include-parents', summary: 'Move their parent components, too' },
    ],
    examples: ["cairn state move 'urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs' --dest prod"],
    load: () => import('../state-edits.js').then(({ move }) => move),
  }),
  command({
    path: ['state', 'edit'],
    aliases: ['update', 'modify'],
    summary: 'Edit the state as text, with $VISUAL or $EDITOR; secrets stay encrypted',
    flags: [...lockedFlags, yesFlag],
    examples: ['cairn state edit'],
    load: () => import('../state-edits.js').then(({ edit }) => edit),
  }),
  command({
    path: ['state', 'repair'],
    summary: 'Explain and repair a state that is not consistent',
    flags: [...lockedFlags, yesFlag],
    examples: ['cairn state repair'],
    load: () => import('../state-repair.js').then(({ run }) => run),
  }),
  command({
    path: ['state', 'taint'],
    summary: 'Mark resources to be replaced by the next update, changed or not',
    args: [{ ...urnsArg, required: true }],
    flags: [...lockedFlags, notAskedFlag],
    examples: ["cairn state taint 'urn:pulumi:dev::shop::random:index/randomPet:RandomPet::pet'"],
    load: () => import('../state-edits.js').then(({ taint }) => taint),
  }),
  command({
    path: ['state', 'untaint'],
    summary: 'Remove the mark of `state taint`',
    args: [urnsArg],
    flags: [...lockedFlags, notAskedFlag, allFlag],
    examples: ['cairn state untaint --all'],
    load: () => import('../state-edits.js').then(({ untaint }) => untaint),
  }),
  command({
    path: ['state', 'upgrade'],
    summary: 'Move stacks of the old layout without projects into their projects',
    flags: [{ name: 'yes', short: 'y', summary: 'Do not ask for confirmation' }],
    examples: ['cairn state upgrade --yes'],
    load: () => import('../backends.js').then(({ upgrade }) => upgrade),
  }),
];
