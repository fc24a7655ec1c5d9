import type { StackDriftRun, StackSchedules } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { Json } from '@cairn/state';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Counts, Switches } from '../flags/flag-spec.js';
import type { StackFlags } from '../flags/operation.js';
import { withServiceOfStack, writeFields, writeTable } from '../flows/service-tables.js';
import { visible } from '../terminal/controls.js';
import { printJson } from '../terminal/json-output.js';

type JsonFlag = Switches<'json'>;

/** Looks for drift that are listed unless the user wants another number. */
const USUAL = 10;

function withDrift(
  context: CommandContext,
  flags: StackFlags,
  work: (schedules: StackSchedules) => Promise<void>,
): Promise<number> {
  const needs = {
    what: 'kept looks for drift',
    hint: 'Log in to a state service, which keeps them. `cairn refresh --preview-only` looks for drift.',
  };
  return withServiceOfStack(context, flags, needs, async (service, id) => work(await service.schedules(id)));
}

/** `stack drift status` */
export const status: Command<JsonFlag> = ({ flags }, context) =>
  withDrift(context, flags, async (schedules) => {
    const { driftDetected, latestDriftRun, runInProgress, cairn } = await schedules.driftStatus();
    const resources = cairn?.resources ?? [];
    if (flags.json) {
      const own = { ...(resources.length > 0 && { resources: resources as unknown as Json }) };
      return printJson(context, { driftDetected, latestDriftRun, runInProgress, ...own });
    }
    writeFields(context, [
      ['Drift', latestDriftRun ? (driftDetected ? 'yes' : 'no') : 'not looked'],
      ...(latestDriftRun ? ([['Last look', latestDriftRun]] as const) : []),
      ['Looking', runInProgress ? 'yes' : 'no'],
    ]);
    for (const { urn, kind, keys, since, says } of resources) {
      const texts = [urn, kind, keys.join(', '), `since ${since}`, ...(says ?? [])];
      context.stdout.write(`${visible(texts.filter((text) => text !== '').join('  '))}\n`);
    }
  });

/** `stack drift ls` */
export const list: Command<JsonFlag & Counts<'count'> & Switches<'all'>> = ({ flags }, context) => {
  if (flags.all && flags.count !== undefined)
    throw cairnError('CAIRN-USAGE', '--all and --count exclude each other', {
      hint: 'Give one of them.',
    });
  return withDrift(context, flags, async (schedules) => {
    const { runs, total } = await schedules.driftRuns(flags.all ? Infinity : (flags.count ?? USUAL));
    if (flags.json) return printJson(context, { driftRuns: runs.map(rowOf), count: runs.length, total });
    const rows = runs.map((run) => [
      ...[run.id, run.created, run.status, run.driftDetected ? differing(run) : 'none'],
      run.deploymentVersion ? String(run.deploymentVersion) : '-',
    ]);
    writeTable(context, ['ID', 'TIME', 'STATUS', 'DRIFT', 'DEPLOYMENT'], rows);
  });
};

/** Returns the number of resources that a look found changed. */
function differing({ detectUpdate }: StackDriftRun): string {
  const counts = Object.entries(detectUpdate?.resourceChanges ?? {}).filter(([kind]) => kind !== 'same');
  const sum = counts.reduce((total, [, count]) => total + count, 0);
  return sum === 0 ? 'yes' : `${sum} differ`;
}

/** Returns a look as scripts read it. Fields that this version does not know are part of it. */
function rowOf(run: StackDriftRun): Readonly<Record<string, Json>> {
  return run as Readonly<Record<string, Json>>;
}
