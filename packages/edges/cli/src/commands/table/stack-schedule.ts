import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import { jsonFlag, outputFormFlag, stackFlag, yesFlag } from '../../flags/stack.js';

const scheduleArg = {
  name: 'id',
  summary: 'Id of the schedule, as `cairn stack schedule ls` lists it',
  required: true,
};
const shownFlags = [stackFlag, jsonFlag, outputFormFlag] as const;
const contentFlags = [
  {
    name: 'cron',
    value: 'expression',
    summary: 'Run at the times of this cron expression (raw, drift)',
  },
  {
    name: 'zone',
    value: 'zone',
    summary: 'Zone of the clock of --cron, such as Europe/Berlin (default: UTC)',
  },
  {
    name: 'jitter',
    value: 'duration',
    summary: 'Longest delay of a time of --cron, such as 10m; a schedule has the same delay each time',
  },
  { name: 'once', value: 'time', summary: 'Run once at this time, such as 2027-01-01T00:00:00Z (raw, ttl)' },
  {
    name: 'operation',
    value: 'operation',
    holds: 'choice',
    of: ['update', 'preview', 'refresh', 'destroy'],
    summary: 'Operation to run (raw)',
  },
] as const;
const also = <const Name extends string>(name: Name, summary: string) =>
  ({ name, value: 'true|false', holds: 'choice', of: ['true', 'false'], alone: 'true', summary }) as const;
const REMEDIATE = 'Put drift back that is found (drift)';
const DELETE = 'Remove the stack after it was destroyed (ttl)';

/** Commands for schedules of a stack, which agents of a state service follow, and for its drift. */
export const stackScheduleCommands: readonly CommandSpec[] = [
  command({
    path: ['stack', 'schedule', 'ls'],
    aliases: ['list'],
    summary: 'List the schedules of the stack',
    flags: [...shownFlags, { name: 'count', value: 'n', holds: 'count', summary: 'List at most so many' }],
    examples: ['cairn stack schedule ls'],
    load: () => import('../stack-schedule.js').then(({ list }) => list),
  }),
  command({
    path: ['stack', 'schedule', 'new'],
    aliases: ['create', 'setup'],
    summary: 'Have the agents of the state service do something for the stack at certain times',
    flags: [
      ...shownFlags,
      {
        name: 'kind',
        value: 'kind',
        holds: 'choice',
        of: ['raw', 'drift', 'ttl'],
        summary: 'Run an operation (raw), look for drift (drift), or destroy the stack (ttl)',
      },
      ...contentFlags,
      { name: 'auto-remediate', summary: REMEDIATE },
      { name: 'delete-after-destroy', summary: DELETE },
      yesFlag,
    ],
    examples: [
      "cairn stack schedule new --kind raw --operation refresh --cron '0 */4 * * *'",
      "cairn stack schedule new --kind drift --cron '0 6 * * *' --zone Europe/Berlin --jitter 10m",
      'cairn stack schedule new --kind ttl --once 2027-01-01T00:00:00Z --delete-after-destroy',
    ],
    load: () => import('../stack-schedule.js').then(({ create }) => create),
  }),
  command({
    path: ['stack', 'schedule', 'get'],
    summary: 'Show a schedule',
    args: [scheduleArg],
    flags: shownFlags,
    examples: ['cairn stack schedule get 5bdd4dfd-4644-4d14-9f15-5423d422e73f'],
    load: () => import('../stack-schedule.js').then(({ get }) => get),
  }),
  command({
    path: ['stack', 'schedule', 'edit'],
    aliases: ['update', 'modify'],
    summary: 'Change a schedule; what no flag names stays',
    args: [scheduleArg],
    flags: [
      ...shownFlags,
      ...contentFlags,
      also('auto-remediate', REMEDIATE),
      also('delete-after-destroy', DELETE),
    ],
    examples: ["cairn stack schedule edit 5bdd4dfd-4644-4d14-9f15-5423d422e73f --cron '0 */6 * * *'"],
    load: () => import('../stack-schedule.js').then(({ edit }) => edit),
  }),
  command({
    path: ['stack', 'schedule', 'pause'],
    summary: 'Stop following a schedule until it is resumed',
    args: [scheduleArg],
    flags: [stackFlag],
    examples: ['cairn stack schedule pause 5bdd4dfd-4644-4d14-9f15-5423d422e73f'],
    load: () => import('../stack-schedule.js').then(({ pausing }) => pausing(true)),
  }),
  command({
    path: ['stack', 'schedule', 'resume'],
    summary: 'Follow a paused schedule again',
    args: [scheduleArg],
    flags: [stackFlag],
    examples: ['cairn stack schedule resume 5bdd4dfd-4644-4d14-9f15-5423d422e73f'],
    load: () => import('../stack-schedule.js').then(({ pausing }) => pausing(false)),
  }),
  command({
    path: ['stack', 'schedule', 'rm'],
    aliases: ['remove', 'delete'],
    summary: 'Remove a schedule',
    args: [scheduleArg],
    flags: [stackFlag, yesFlag],
    examples: ['cairn stack schedule rm 5bdd4dfd-4644-4d14-9f15-5423d422e73f --yes'],
    load: () => import('../stack-schedule.js').then(({ remove }) => remove),
  }),
  command({
    path: ['stack', 'drift', 'ls'],
    aliases: ['list'],
    summary: 'List looks for drift of the stack, newest first',
    flags: [
      ...shownFlags,
      { name: 'count', value: 'n', holds: 'count', summary: 'List at most so many (default: 10)' },
      { name: 'all', summary: 'List all that are kept' },
    ],
    examples: ['cairn stack drift ls'],
    load: () => import('../stack-drift.js').then(({ list }) => list),
  }),
  command({
    path: ['stack', 'drift', 'status'],
    summary: 'Show what the last look for drift found',
    flags: shownFlags,
    examples: ['cairn stack drift status'],
    load: () => import('../stack-drift.js').then(({ status }) => status),
  }),
];
