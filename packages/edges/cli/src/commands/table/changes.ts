import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import { confirmFlags, detachFlags, errorFlagsAnew, goOnFlags } from '../../flags/operation.js';
import {
  jsonFlag,
  lastFlag,
  lockedFlags,
  showSecretsFlag,
  stackFlag,
  timeFlag,
  yesFlag,
} from '../../flags/stack.js';
import { operationStart } from './early.js';

const changeArg = {
  name: 'change',
  summary: 'Id of the change, as `cairn changes` lists it',
  required: false,
};

/** Commands for the changes of a stack, and for continuing them. */
export const changesCommands: readonly CommandSpec[] = [
  command({
    path: ['changes'],
    summary: 'List the recorded changes of the stack, oldest first',
    args: [{ name: 'stack', summary: 'The stack (default: the selected one)', required: false }],
    flags: [
      stackFlag,
      jsonFlag,
      timeFlag,
      { name: 'select', value: 'which', summary: 'Select changes: all (default), in-progress or ready' },
    ],
    examples: ['cairn changes', 'cairn changes --select in-progress --json'],
    load: () => import('../changes.js').then(({ list }) => list),
  }),
  command({
    path: ['change'],
    aliases: ['tasks'],
    summary: 'Show a change: its tasks, how long they took, what they wait for and their logs',
    args: [changeArg],
    flags: [
      stackFlag,
      lastFlag,
      jsonFlag,
      timeFlag,
      {
        name: 'report',
        value: 'file',
        summary: 'Write the change as an HTML page to this file, without values',
      },
    ],
    examples: ['cairn change 7', 'cairn change 7 --report change.html', "cairn change --last 'up?'"],
    load: () => import('../changes.js').then(({ show }) => show),
  }),
  command({
    path: ['change', 'resolve'],
    summary: 'Record the outcome of a step in doubt',
    args: [
      {
        name: 'step',
        summary: 'Name of the step, e.g. 3f9a2c1b, the URN of its resource, or its task, e.g. 7/3',
        required: true,
      },
    ],
    flags: [
      ...lockedFlags,
      { name: 'created', value: 'id', summary: 'Record that the object was created, with this id' },
      { name: 'not-created', summary: 'Record that the object was not created' },
      { name: 'done', summary: 'Record that the update or delete was done' },
      { name: 'not-done', summary: 'Record that the update or delete was not done' },
      {
        name: 'outputs',
        value: 'file',
        summary:
          'Read the outputs of the object from this JSON file, if its provider cannot read them (with --created and --done)',
      },
      jsonFlag,
      showSecretsFlag,
    ],
    examples: [
      'cairn change resolve 3f9a2c1b --created i-0abc',
      'cairn change resolve 3f9a2c1b --not-created',
      'cairn change resolve 3f9a2c1b --created done-by-hand --outputs outputs.json',
      'cairn change resolve 3f9a2c1b --done',
    ],
    early: operationStart('unknown'),
    load: () => import('../operations.js').then(({ resolve }) => resolve),
  }),
  command({
    path: ['follow'],
    summary: 'Follow a change until it ends; an interrupt only stops following',
    args: [changeArg],
    flags: [stackFlag, lastFlag, jsonFlag],
    examples: ['cairn follow 7', 'cairn follow --last up'],
    load: () => import('../follow.js').then(({ run }) => run),
  }),
  command({
    path: ['abort'],
    summary: 'Stop a running change and roll it back',
    args: [changeArg],
    flags: [
      stackFlag,
      lastFlag,
      {
        name: 'keep',
        summary: 'Only stop: keep what was done, so that the change can be resumed or rolled back',
      },
      jsonFlag,
    ],
    examples: ['cairn abort 7', 'cairn abort 7 --keep'],
    load: () => import('../changes.js').then(({ abort }) => abort),
  }),
  command({
    path: ['approve'],
    summary: 'Approve the step that a change waits for',
    args: [
      { name: 'step', summary: 'Change and task, e.g. 7/3, as the waiting change prints it', required: true },
    ],
    flags: [stackFlag, jsonFlag],
    examples: ['cairn approve 7/3'],
    load: () => import('../changes.js').then(({ approve }) => approve),
  }),
  command({
    path: ['resume'],
    summary: 'Resume the unfinished change',
    args: [{ ...changeArg, summary: 'Id of the change (default: the unfinished one)' }],
    flags: [...goOnFlags, ...errorFlagsAnew, yesFlag, ...detachFlags],
    examples: ['cairn resume', 'cairn resume 7', 'cairn resume 7 --on-error rollback'],
    early: operationStart('unknown'),
    load: () => import('../operations.js').then(({ resume }) => resume),
  }),
  command({
    path: ['rollback'],
    summary: 'Show what a rollback of the latest change will do, then roll it back',
    args: [{ ...changeArg, summary: 'Id of the change (default: the latest)' }],
    flags: [
      ...goOnFlags,
      ...confirmFlags,
      ...detachFlags,
      { name: 'preview-only', summary: 'Show what would be done and stop' },
    ],
    examples: ['cairn rollback', 'cairn rollback 7 --yes', 'cairn rollback --preview-only'],
    early: operationStart('unknown'),
    load: () => import('../operations.js').then(({ rollback }) => rollback),
  }),
];
