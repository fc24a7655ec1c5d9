import { goStruct } from '@cairn/state';
import { EXIT } from '@cairn/diagnostics';
import { findProject, loadProject } from '@cairn/workspace';
import { fullStackName } from '@cairn/backends';
import type { StackSummary } from '@cairn/backends';
import { selectedStackName } from '@cairn/operations/stacks';
import { formatAge } from '../terminal/duration.js';
import { printJson } from '../terminal/json-output.js';
import type { World } from '../world.js';
import type { Command } from './command-spec.js';
import { withBackend } from '../session/open-stack.js';
import { stackChoice } from '../session/stack-choice.js';
import { portsOf } from '../session/ports.js';

export const run: Command = async ({ flags }, world) => {
  const all = flags.on('all');
  const located = await findProject(world.cwd);
  const project = all && located === undefined ? undefined : await loadProject(world.cwd);
  return withBackend(world, flags, project, async (backend) => {
    const current =
      project === undefined
        ? undefined
        : await selectedStackName(portsOf(world, flags), stackChoice(flags), project);
    const stacks = await backend.summaries(all ? undefined : project?.name);
    const rows = stacks.map((stack) =>
      goStruct({
        name: stack.project === project?.name ? stack.stack : fullStackName(stack),
        current: (stack.project === project?.name || stack.project === '') && stack.stack === current,
        ...(stack.lastUpdate === undefined ? {} : { lastUpdate: new Date(stack.lastUpdate).toISOString() }),
        ...(stack.resources === undefined ? {} : { resourceCount: stack.resources }),
      }),
    );
    if (flags.on('json'))
      printJson(
        world,
        rows.sort((a, b) => (a.name < b.name ? -1 : 1)),
      );
    else printRows(world, rows, stacks);
    return EXIT.ok;
  });
};

interface Row {
  readonly name: string;
  readonly current: boolean;
  readonly lastUpdate?: string;
  readonly resourceCount?: number;
}

function printRows(world: World, rows: readonly Row[], stacks: readonly Partial<StackSummary>[]): void {
  const width = Math.max(4, ...rows.map((row) => row.name.length + 1));
  world.stdout.write(`${'NAME'.padEnd(width)}  ${'LAST UPDATE'.padEnd(16)}  RESOURCES\n`);
  rows.forEach((row, index) => {
    const updated =
      row.resourceCount === undefined || stacks[index]?.lastUpdate === undefined
        ? 'n/a'
        : formatAge(new Date(row.lastUpdate ?? 0), world.now());
    world.stdout.write(
      `${(row.name + (row.current ? '*' : '')).padEnd(width)}  ${updated.padEnd(16)}  ${row.resourceCount ?? 'n/a'}\n`,
    );
  });
}
