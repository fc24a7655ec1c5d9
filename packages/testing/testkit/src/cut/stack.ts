import { makeUrn } from '@cairn/addresses';
import type { ChangeRecord } from '@cairn/changes';
import { emptySnapshot } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import { settle } from '../fuzz/settle.js';
import type { ProgramFunction } from '../program/program-of.js';
import { turningClock } from '../world/clock.js';
import { replayed, runScenario } from '../world/scenario.js';
import type { Outcome, Scenario } from '../world/scenario.js';
import type { CutScenario } from './cut-scenario.js';
import { CutWorld } from './cut-world.js';
import type { Help } from './cut-world.js';
import { hasObject } from './world-faults.js';
import { sealing } from './sealing.js';

/** A stack and its world, at rest. */
export interface Stack {
  readonly snapshot: Snapshot;
  readonly world: CutWorld;
}

/** Returns the stack before the operation of a scenario. */
export async function stackBefore(scenario: CutScenario, help: Help): Promise<Stack> {
  const world = new CutWorld(help);
  for (const [id, { name, inputs }] of Object.entries(scenario.outside ?? {})) {
    const type = 'pkgA:m:typA';
    const urn = makeUrn({ project: 'test', stack: 'test', parent: undefined, type, name });
    world.seed(id, urn, type, propertyMap(inputs));
  }
  let snapshot = emptySnapshot;
  for (const program of scenario.before ?? []) {
    const outcome = await operate({ title: scenario.title, program }, { snapshot, world });
    if (outcome.result.summary.result !== 'succeeded')
      throw new Error(`${scenario.title}: the stack cannot be made: ${outcome.complaints.join('; ')}`);
    snapshot = outcome.snapshot;
  }
  world.drift(scenario.drifted ?? []);
  world.vanishNamed(scenario.vanished ?? []);
  world.scripts = scenario.scripts ?? {};
  return { snapshot, world: world.fork() };
}

/** Runs the operation of a scenario on a stack. `more` changes its request. Throws if it hangs. */
export async function operate(
  scenario: CutScenario,
  { snapshot, world }: Stack,
  more: Partial<Scenario> = {},
): Promise<Outcome> {
  const { kind, program, runProgram, scope, policy, parallel, imports } = scenario;
  const wanted: Scenario = {
    prior: snapshot,
    providers: world,
    crypter: sealing,
    clock: turningClock(),
    ...(kind !== undefined && { kind }),
    ...(program !== undefined && { program: watched(program, world) }),
    ...(runProgram !== undefined && { runProgram }),
    ...(scope !== undefined && { scope }),
    ...(policy !== undefined && { policy }),
    ...(parallel !== undefined && { parallel }),
    ...(imports !== undefined && { imports }),
    ...more,
    onStart: (running) => {
      world.recordedNow = () => running.entries.filter(hasObject);
      more.onStart?.(running);
    },
  };
  const ended = await settle(runScenario(wanted), () => world.calls.length);
  world.recordedNow = () => [];
  if (ended === undefined) throw new Error('the operation hangs');
  return ended.value;
}

/** Returns the state that a later process finds after a stopped operation: the one in its journal. */
export function folded(base: Snapshot, records: readonly ChangeRecord[]): Snapshot {
  return replayed(base, records, sealing);
}

/** Wraps a program, because components of providers need the monitor of the running program. */
function watched(program: ProgramFunction, world: CutWorld): ProgramFunction {
  return (context) => {
    world.monitor = context.monitor;
    return program(context);
  };
}
