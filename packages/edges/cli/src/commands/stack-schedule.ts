import type { ScheduleContent, ScheduleKind, StackSchedule, StackSchedules } from '@cairn/backends';
import { scheduleAction, scheduleTimes } from '@cairn/backends/words';
import { cairnError } from '@cairn/diagnostics';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Counts, Switches, Texts } from '../flags/flag-spec.js';
import type { StackFlags } from '../flags/operation.js';
import { isConfirmed, refuseUnconfirmed } from '../flows/confirm.js';
import { withServiceOfStack, writeFields, writeTable } from '../flows/service-tables.js';
import { printJson } from '../terminal/json-output.js';
import { confirm } from '../terminal/prompt.js';

type Json = Switches<'json'>;

function withSchedules(
  context: CommandContext,
  flags: StackFlags,
  work: (schedules: StackSchedules) => Promise<void>,
): Promise<number> {
  const needs = {
    what: 'schedules',
    hint: 'Log in to a state service whose agents follow them. Without one, `cairn agent` follows those of its file.',
  };
  return withServiceOfStack(context, flags, needs, async (service, id) => work(await service.schedules(id)));
}

/** `stack schedule ls` */
export const list: Command<Json & Counts<'count'>> = ({ flags }, context) =>
  withSchedules(context, flags, async (schedules) => {
    const found = (await schedules.list()).slice(0, flags.count);
    if (flags.json) return printJson(context, { schedules: found.map(rowOf) });
    const rows = found.map((each) => [
      ...[each.id, kindOf(each), doesOf(each), whenOf(each), nextOf(each), each.lastExecuted ?? 'never'],
    ]);
    writeTable(context, ['ID', 'KIND', 'DOES', 'WHEN', 'NEXT', 'LAST'], rows);
  });

/** `stack schedule get` */
export const get: Command<Json> = ({ args: [id = ''], flags }, context) =>
  withSchedules(context, flags, async (schedules) => show(context, flags, await schedules.get(id)));

type Content = Texts<'cron' | 'once' | 'zone' | 'jitter' | 'operation'>;

/** Flags that each kind takes, with those that it needs: one of a list. */
const TAKES = {
  raw: { takes: ['cron', 'once', 'zone', 'jitter', 'operation'], needs: [['operation'], ['cron', 'once']] },
  drift: { takes: ['cron', 'zone', 'jitter', 'autoRemediate'], needs: [['cron']] },
  ttl: { takes: ['once', 'deleteAfterDestroy'], needs: [['once']] },
} as const;

const FLAGS = {
  ...{ cron: '--cron', once: '--once', operation: '--operation', zone: '--zone', jitter: '--jitter' },
  ...{ autoRemediate: '--auto-remediate', deleteAfterDestroy: '--delete-after-destroy' },
} as const;

type Flag = keyof typeof FLAGS;

type Given = { readonly [F in Flag]: string | boolean | undefined };

/** `stack schedule new` */
export const create: Command<
  Json &
    Content &
    Switches<'autoRemediate' | 'deleteAfterDestroy'> & { readonly kind: ScheduleKind | undefined }
> = ({ flags }, context) => {
  const { kind } = flags;
  if (kind === undefined)
    throw cairnError('CAIRN-USAGE', 'cannot make the schedule: --kind is missing', {
      hint: 'Give --kind raw for an operation, drift for looks for drift, or ttl for the end of the stack.',
    });
  checkFlags(kind, flags, 'make');
  const { cron, once, zone, jitter, operation, autoRemediate, deleteAfterDestroy } = flags;
  checkClock(flags, once, 'make');
  const also = autoRemediate || deleteAfterDestroy;
  return withSchedules(context, flags, async (schedules) =>
    show(context, flags, await schedules.create({ kind, cron, once, zone, jitter, operation, also })),
  );
};

/** Fails for flags that a kind of schedule does not take, and for those that a new one lacks. */
function checkFlags(kind: ScheduleKind, flags: Given, verb: 'make' | 'change'): void {
  const { takes, needs } = TAKES[kind];
  const given = (Object.keys(FLAGS) as Flag[]).filter((each) => Boolean(flags[each]));
  const odd = given.find((each) => !(takes as readonly Flag[]).includes(each));
  if (odd !== undefined)
    throw cairnError('CAIRN-USAGE', `cannot ${verb} the schedule: one of kind ${kind} has no ${FLAGS[odd]}`, {
      hint: `It takes ${takes.map((each) => FLAGS[each]).join(', ')}.`,
    });
  if (given.includes('cron') && given.includes('once'))
    throw cairnError('CAIRN-USAGE', `cannot ${verb} the schedule: --cron and --once exclude each other`, {
      hint: 'Give --cron for again and again, --once for one time.',
    });
  const missing = verb === 'make' && needs.find((some) => !some.some((each) => given.includes(each)));
  if (missing)
    throw cairnError(
      'CAIRN-USAGE',
      `cannot make the schedule: ${missing.map((each) => FLAGS[each]).join(' or ')} is missing`,
      {
        hint: `A schedule of kind ${kind} needs it.`,
      },
    );
}

/** Fails for a zone or a delay of a schedule that is due once: its time has a zone of its own. */
function checkClock({ zone, jitter }: Content, once: string | undefined, verb: 'make' | 'change'): void {
  if (once === undefined || (zone === undefined && jitter === undefined)) return;
  const flag = zone === undefined ? FLAGS.jitter : FLAGS.zone;
  throw cairnError('CAIRN-USAGE', `cannot ${verb} the schedule: one for once has no ${flag}`, {
    hint: 'It is for schedules with --cron. A time of --once may end in an offset such as +02:00.',
  });
}

/** `stack schedule edit` */
export const edit: Command<
  Json & Content & { readonly autoRemediate: Choice; readonly deleteAfterDestroy: Choice }
> = ({ args: [id = ''], flags }, context) =>
  withSchedules(context, flags, async (schedules) => {
    const before = contentOf(await schedules.get(id));
    checkFlags(before.kind, flags, 'change');
    const { cron, once, zone, jitter, operation } = flags;
    checkClock(flags, cron === undefined ? (once ?? before.once) : undefined, 'change');
    const also = flags.autoRemediate ?? flags.deleteAfterDestroy;
    const changed = {
      ...before,
      ...(cron !== undefined && { cron, once: undefined }),
      ...(once !== undefined && { once, cron: undefined, zone: undefined, jitter: undefined }),
      ...(zone !== undefined && { zone }),
      ...(jitter !== undefined && { jitter }),
      ...(operation !== undefined && { operation }),
      ...(also !== undefined && { also: also === 'true' }),
    };
    show(context, flags, await schedules.change(id, changed));
  });

type Choice = 'true' | 'false' | undefined;

/** `stack schedule pause` and `stack schedule resume` */
export const pausing =
  (paused: boolean): Command =>
  ({ args: [id = ''], flags }, context) =>
    withSchedules(context, flags, async (schedules) => {
      await schedules.setPaused(id, paused);
      context.stderr.write(`${paused ? 'Paused' : 'Resumed'} schedule ${id}\n`);
    });

/** `stack schedule rm` */
export const remove: Command = ({ args: [id = ''], flags }, context) => {
  refuseUnconfirmed(context, flags, 'this removes a schedule');
  return withSchedules(context, flags, async (schedules) => {
    if (!isConfirmed(context, flags) && !(await confirm(context, `Remove schedule ${id}?`))) return;
    await schedules.remove(id);
    context.stderr.write(`Removed schedule ${id}\n`);
  });
};

function optionsOf({ definition }: StackSchedule) {
  return definition.request?.operationContext?.options ?? {};
}

function kindOf(schedule: StackSchedule): ScheduleKind {
  const { remediateIfDriftDetected, deleteAfterDestroy } = optionsOf(schedule);
  if (typeof remediateIfDriftDetected === 'boolean') return 'drift';
  return typeof deleteAfterDestroy === 'boolean' ? 'ttl' : 'raw';
}

function contentOf(schedule: StackSchedule): ScheduleContent {
  const { remediateIfDriftDetected, deleteAfterDestroy } = optionsOf(schedule);
  return {
    kind: kindOf(schedule),
    cron: schedule.scheduleCron ?? undefined,
    once: schedule.scheduleOnce ?? undefined,
    zone: schedule.cairn?.zone ?? undefined,
    jitter: schedule.cairn?.jitter ?? undefined,
    operation: schedule.definition.request?.operation ?? undefined,
    also: remediateIfDriftDetected === true || deleteAfterDestroy === true,
  };
}

function doesOf(schedule: StackSchedule): string {
  return scheduleAction(contentOf(schedule));
}

function whenOf(schedule: StackSchedule): string {
  return scheduleTimes(contentOf(schedule));
}

function nextOf({ paused, nextExecution }: StackSchedule): string {
  return paused === true ? 'paused' : (nextExecution ?? 'never');
}

function show(context: CommandContext, { json }: Json, schedule: StackSchedule): void {
  if (json) return printJson(context, rowOf(schedule));
  writeFields(context, [
    ['ID', schedule.id],
    ['Kind', kindOf(schedule)],
    ['Does', doesOf(schedule)],
    ['When', whenOf(schedule)],
    ['Next', nextOf(schedule)],
    ['Last', schedule.lastExecuted ?? 'never'],
    ['Created', schedule.created],
  ]);
}

/** Returns a schedule as scripts read it, with the other tool's names and words. */
function rowOf(schedule: StackSchedule) {
  const { id, scheduleCron, nextExecution, lastExecuted, created, paused } = schedule;
  const { kind, zone, jitter, operation, also } = contentOf(schedule);
  const settings =
    kind === 'drift'
      ? `detect${also ? ' + auto-remediate' : ''}`
      : kind === 'ttl'
        ? `destroy${also ? ' + delete stack' : ''}`
        : `pulumi ${operation}`;
  return {
    ...{ id, type: kind, settings, schedule: scheduleCron ?? 'Once' },
    ...(zone !== undefined && { zone }),
    ...(jitter !== undefined && { jitter }),
    ...(nextExecution && { nextRun: nextExecution }),
    ...(lastExecuted && { lastRun: lastExecuted }),
    ...(paused === true && { paused }),
    created,
  };
}
