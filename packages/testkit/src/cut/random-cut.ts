import { messageOf } from '@cairn/diagnostics';
import type { Snapshot } from '@cairn/state';
import { FINE, patterns } from '../fuzz/concluding.js';
import { resourceName } from '../fuzz/fuzz-case.js';
import type { FuzzCase, PriorEntry, WantedOperation, WantedResource } from '../fuzz/fuzz-case.js';
import { priorSnapshot } from '../fuzz/prior-snapshot.js';
import { randomProgram } from '../fuzz/random-program.js';
import type { CutScenario } from './cut-scenario.js';
import { CutWorld } from './cut-world.js';
import type { Help } from './cut-world.js';
import { goOn, startLine, stoppedAt } from './line.js';
import type { How, WentOn } from './line.js';
import { differences, pictureOf } from './picture.js';
import { operate } from './stack.js';
import type { Stack } from './stack.js';
import { worldFaults } from './world-faults.js';

/** A random case whose last operation is stopped at some instant. */
export interface RandomCut {
  readonly wanted: FuzzCase;
  readonly help: Help;
  /** Which instant, in thousandths of the way through the operation; the second one is in what went on. */
  readonly at: readonly number[];
  readonly how: How;
}

/**
 * Carries out a random case up to its last operation without failures, stops that one, goes on with it, perhaps stops that
 * as well, and looks for what is wrong; then an up without failures, the same again (which does nothing) and a destroy. The
 * first fault; undefined: all is well.
 */
export async function runRandomCut(cut: RandomCut): Promise<string | undefined> {
  const { wanted, how } = cut;
  const last = wanted.operations.at(-1);
  if (last === undefined) return undefined;
  const before = await stackBeforeLast(cut);
  for (const at of last.vanished) before.world.vanishAt(at);
  before.world.scripts = last.scripts;
  try {
    const went = await stopAndGoOn(cut, last, before);
    const released = mayBeLetGo(wanted, went.line.world);
    const { snapshot, world } = went.line;
    const fault = worldFaults(snapshot, world, released)[0];
    if (fault !== undefined) return `after the ${how}: ${fault}`;
    if (how === 'rollback') {
      const differs = whatARollbackMissed(before, went, wanted);
      if (differs !== undefined) return `after the rollback: ${differs}`;
    }
    return await conclude({ snapshot, world }, last.program, released);
  } catch (thrown) {
    return `it throws: ${messageOf(thrown)}`;
  }
}

async function stopAndGoOn({ at, how }: RandomCut, last: WantedOperation, before: Stack): Promise<WentOn> {
  const scenario = scenarioOf(last);
  let went = await startLine(scenario, before.snapshot, before.world.fork());
  went.line.world.most.forEach((most, urn) => before.world.limits.set(urn, most));
  for (const thousandth of at) {
    const { instants } = went.watch;
    const instant = instants[Math.floor((thousandth * instants.length) / 1000)];
    if (instant === undefined) break;
    const stopped = stoppedAt(went.line, instant);
    before.world.limits.forEach((limit, urn) => stopped.world.limits.set(urn, limit));
    went = await goOn(stopped, how);
  }
  return went;
}

/** Every operation but the last, without failures. */
async function stackBeforeLast({ wanted, help }: RandomCut): Promise<Stack> {
  const world = new CutWorld(help);
  let snapshot = priorSnapshot(wanted.prior);
  world.adopt(snapshot.resources);
  for (const operation of wanted.operations.slice(0, -1)) {
    if (operation.preview) continue;
    const outcome = await operate(scenarioOf(operation), { snapshot, world });
    snapshot = outcome.snapshot;
    for (const id of mayBeLetGo(wanted, world)) if (!owns(snapshot, id)) world.objects.delete(id);
  }
  return { snapshot, world: world.fork() };
}

async function conclude(
  stack: Stack,
  program: readonly WantedResource[],
  released: ReadonlySet<string>,
): Promise<string | undefined> {
  const { world } = stack;
  world.scripts = {};
  world.excused.clear();
  for (const id of released) if (!owns(stack.snapshot, id)) world.objects.delete(id);
  const fine = scenarioOf({ ...FINE, program });
  const up = await operate(fine, stack);
  if (up.result.summary.result === 'succeeded') {
    const again = await operate(fine, { snapshot: up.snapshot, world });
    const steps = again.trace.filter((line) => !/^(same|read) /.test(line));
    if (steps.length > 0) return `the second up at the end does something: ${steps.join(', ')}`;
  } else {
    const refused = up.complaints.find(
      (line) => line.startsWith('error') && !/import|cannot read/.test(line),
    );
    if (refused !== undefined) return `up at the end fails: ${refused}`;
  }
  const destroyed = await operate(scenarioOf({ ...FINE, kind: 'destroy' }), { snapshot: up.snapshot, world });
  const left = destroyed.snapshot.resources.map(({ urn }) => urn);
  return left.length === 0 ? undefined : `destroy at the end leaves ${left.join(', ')}`;
}

/** What differs from the stack before, apart from what cannot be undone or was declared so. */
function whatARollbackMissed(before: Stack, { line, outcome }: WentOn, wanted: FuzzCase): string | undefined {
  const { result } = outcome.result.summary;
  if (result !== 'rolled-back' && result !== 'succeeded') return undefined;
  const stays = namesWhere(wanted, ({ retain, stale }, kind) => retain || kind === 'read' || stale);
  const last = wanted.operations.at(-1);
  for (const [name, { read }] of Object.entries(last?.scripts ?? {})) if (read !== undefined) stays.add(name);
  return differences(
    pictureOf(before.snapshot, before.world),
    pictureOf(line.snapshot, line.world),
    [...stays].flatMap((name) => [name, `${name}x`]),
  )[0];
}

function scenarioOf(wanted: WantedOperation): CutScenario {
  const { kind, runProgram, refresh, scope } = wanted;
  return {
    title: kind,
    kind,
    runProgram,
    scripts: wanted.scripts,
    program: randomProgram(wanted.program),
    scope: {
      refresh: refresh && kind !== 'refresh',
      targets: patterns(scope?.targets ?? []),
      targetDependents: scope?.dependents ?? false,
      excludes: patterns(scope?.excludes ?? []),
      excludeDependents: scope?.dependents ?? false,
      replace: patterns(scope?.replace ?? []),
    },
    policy: {
      continueOnError: wanted.continueOnError,
      onError: wanted.continueOnError ? 'continue' : 'stop',
      ignoreProtect: wanted.ignoreProtect,
    },
  };
}

type Trait = { readonly retain: boolean; readonly stale: boolean; readonly contained: boolean };

function namesWhere(
  { prior, operations }: FuzzCase,
  holds: (trait: Trait, kind: WantedResource['kind']) => boolean,
): Set<string> {
  const names = new Set<string>();
  const note = (each: WantedResource | PriorEntry) => {
    const trait = {
      retain: each.retain,
      stale: 'stale' in each && each.stale !== undefined,
      contained: each.deletedWith !== undefined,
    };
    if (holds(trait, each.kind)) names.add(resourceName({ name: each.name }));
  };
  prior.forEach(note);
  for (const { program } of operations) program.forEach(note);
  return names;
}

/** Ids of objects that may be left without an entry: kept on purpose, or gone with another one as far as the engine knows. */
function mayBeLetGo(wanted: FuzzCase, world: CutWorld): ReadonlySet<string> {
  const names = namesWhere(wanted, ({ retain, contained }, kind) => retain || contained || kind === 'read');
  const isNamed = (urn: string) => {
    const name = urn.slice(urn.lastIndexOf('::') + 2);
    return names.has(name) || names.has(name.replace(/x$/, ''));
  };
  return new Set([...world.objects].filter(([, { urn }]) => isNamed(urn)).map(([id]) => id));
}

function owns({ resources }: Snapshot, id: string): boolean {
  return resources.some((entry) => entry.id === id);
}
