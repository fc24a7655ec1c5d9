import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { messageOf } from '@cairn/diagnostics';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { FINE, patterns } from '../fuzz/concluding.js';
import { resourceName } from '../fuzz/fuzz-case.js';
import type { FuzzCase, PriorEntry, WantedOperation, WantedResource } from '../fuzz/fuzz-case.js';
import { ownsObject } from '../fuzz/invariants.js';
import { priorSnapshot } from '../fuzz/prior-snapshot.js';
import { randomProgram } from '../fuzz/random-program.js';
import type { CutScenario } from './cut-scenario.js';
import { CutWorld } from './cut-world.js';
import type { Help, Reads } from './cut-world.js';
import { goOn, startLine, stoppedAt } from './line.js';
import type { How, WentOn } from './line.js';
import { differences, pictureOf } from './picture.js';
import { operate } from './stack.js';
import type { Stack } from './stack.js';
import { worldFaults } from './world-faults.js';

/** Maximum number of continuations while a step is in doubt again. */
const TRIES = 3;

/** A random case whose last operation is stopped at some instant. */
export interface RandomCut {
  readonly wanted: FuzzCase;
  readonly help: Help;
  /** Source of reads. Defaults to the world, which every provider then announces. */
  readonly reads?: Reads;
  /**
   * Instants of the stops, in thousandths of the way through the operation. The second one is in the continuation. If
   * empty, the operation is not stopped, and undoes its changes when it fails.
   */
  readonly at: readonly number[];
  readonly how: How;
  /** Rolls back failures of the stopped operation separately while the rest continues. Not requested by default. */
  readonly isolate?: 'component' | 'resource';
}

/**
 * Runs a random case up to its last operation without failures. Stops that one, continues it, perhaps stops the
 * continuation as well, and looks for faults. Then runs an up without failures, the same again (which does nothing) and
 * a destroy. Returns the first fault, or undefined if there is none.
 */
export async function runRandomCut(cut: RandomCut): Promise<string | undefined> {
  const { wanted, at, how } = cut;
  const last = lastOf(cut);
  if (last === undefined) return undefined;
  const before = await stackBeforeLast(cut);
  const vanished = new Set(last.vanished.flatMap((at) => vanishedAt(before.world, at)));
  before.world.scripts = at.length === 0 ? last.scripts : withoutEndlessLooks(last.scripts);
  try {
    const went = await stopAndGoOn(cut, last, before);
    if (mayStayInDoubt(cut, last) && isInDoubt(went)) return undefined;
    const rolledBack =
      at.length > 0 ? how === 'rollback' : went.outcome.result.summary.result === 'rolled-back';
    const released = mayBeLetGo(wanted, went.line.world);
    const { snapshot, world } = went.line;
    const fault = worldFaults(snapshot, world, released)[0];
    if (fault !== undefined) return `after the ${how}: ${fault}`;
    if (rolledBack) {
      const differs = whatARollbackMissed(before, went, wanted, vanished);
      if (differs !== undefined && differs !== '') return `after the rollback: ${differs}`;
    }
    return await conclude({ snapshot, world }, last.program, released);
  } catch (thrown) {
    return `it throws: ${messageOf(thrown)}`;
  }
}

/** Returns the operation that is stopped. A provider that answers from the record needs no script for reads. */
function lastOf({ wanted, reads }: RandomCut): WantedOperation | undefined {
  const last = wanted.operations.at(-1);
  if (last === undefined || (reads !== 'record' && reads !== 'echo')) return last;
  const scripts = Object.entries(last.scripts).map(
    ([name, { read: _read, ...script }]) => [name, script] as const,
  );
  return { ...last, scripts: Object.fromEntries(scripts) };
}

async function stopAndGoOn(
  { at, how, isolate }: RandomCut,
  last: WantedOperation,
  before: Stack,
): Promise<WentOn> {
  const scenario =
    at.length === 0 || isolate !== undefined ? withRollback(scenarioOf(last), isolate) : scenarioOf(last);
  let went = await startLine(scenario, before.snapshot, before.world.fork());
  const limits = new Map(went.line.world.most);
  const notReached = unreached(before, went);
  for (const thousandth of at) {
    const { instants } = went.watch;
    const instant = instants[Math.floor((thousandth * instants.length) / 1000)];
    if (instant === undefined) break;
    const stopped = stoppedAt(went.line, instant);
    for (const [urn, most] of limits) if (isReplacedAgain(last, urn)) limits.set(urn, most + 1);
    for (const urn of notReached) if (!limits.has(urn)) limits.set(urn, WITH_REPLACEMENT);
    stopped.world.limits = new Map(limits);
    went = await goOn(stopped, how);
  }
  // An answer that is lost again leaves a step in doubt again.
  for (let tries = 0; at.length > 0 && tries < TRIES && isInDoubt(went); tries += 1)
    went = await goOn(went.line, how);
  return went;
}

/** Number of an original and its replacement. */
const WITH_REPLACEMENT = 2;

/**
 * Returns resources with an object that the uninterrupted run did not reach, because something else had failed. That
 * run does not show how many of them are allowed, and a continuation may reach them.
 */
function unreached({ snapshot }: Stack, { outcome }: WentOn): readonly Urn[] {
  const reached = new Set(outcome.trace.map((line) => line.slice(line.indexOf(' ') + 1)));
  return snapshot.resources.flatMap((entry) =>
    ownsObject(entry) && !reached.has(urnName(entry.urn)) ? [entry.urn] : [],
  );
}

/** Tells whether its provider requires a replacement at every diff, even for an object that a resume has found. */
function isReplacedAgain({ scripts }: WantedOperation, urn: Urn): boolean {
  return scripts[urnName(urn)]?.diff === 'replace';
}

/**
 * Tells whether a continuation may end with a step in doubt: nothing was continued, or each of them makes what failed
 * on its own again, deletes it, and loses the answer.
 */
function mayStayInDoubt({ at, isolate }: RandomCut, { scripts }: WantedOperation): boolean {
  if (at.length === 0) return true;
  return isolate !== undefined && Object.values(scripts).some((script) => script.delete === 'lost');
}

function isInDoubt({ line }: WentOn): boolean {
  return line.snapshot.pendingOperations.length > 0;
}

/**
 * Removes scripts with which a continuation would never end. The outcome of a stopped operation can be determined only
 * if reads find something. A read that is refused never finds anything.
 *
 * Two combinations are endless as well. In the first, every answer to a create is lost, and every read finds that the
 * object is gone, or that it is not ready and so is replaced. In the second, every answer to an update is lost, and the
 * object is not ready, either since its create or at every read. It is then updated again and again.
 */
function withoutEndlessLooks(scripts: WantedOperation['scripts']): WantedOperation['scripts'] {
  return Object.fromEntries(
    Object.entries(scripts).map(([name, script]) => {
      const { read, ...unseen } = script;
      const { update, ...unchanged } = script;
      if (script.create === 'partial' && update === 'lost') return [name, unchanged];
      const endless =
        read === 'fail' ||
        (read === 'gone' && script.create === 'lost') ||
        (read === 'partial' && script.create === 'lost' && script.diff?.startsWith('replace') === true) ||
        (read === 'partial' && update === 'lost');
      return [name, endless ? unseen : script];
    }),
  );
}

/** Runs every operation but the last, without failures. */
async function stackBeforeLast({ wanted, help, reads }: RandomCut): Promise<Stack> {
  const world = new CutWorld(help, reads);
  let snapshot = priorSnapshot(wanted.prior);
  world.adopt(snapshot.resources);
  for (const operation of wanted.operations.slice(0, -1)) {
    if (operation.preview) continue;
    const outcome = await operate(scenarioOf({ ...operation, scripts: {} }), { snapshot, world });
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
  restore(stack);
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

/** Restores objects that were deleted outside of Cairn and are still in the state. */
function restore({ snapshot, world }: Stack): void {
  for (const entry of snapshot.resources) {
    const { urn, type, id, inputs, outputs } = entry;
    if (ownsObject(entry) && world.excused.has(id) && !world.objects.has(id))
      world.objects.set(id, { urn, type, inputs, outputs, settings: undefined });
  }
  world.excused.clear();
}

/** Returns the differences from the stack before, except those that cannot be undone or were declared so. */
function whatARollbackMissed(
  before: Stack,
  { line, outcome }: WentOn,
  wanted: FuzzCase,
  vanished: ReadonlySet<string>,
): string | undefined {
  const { result } = outcome.result.summary;
  if (result !== 'rolled-back' && result !== 'succeeded') return undefined;
  const stays = namesWhere(
    wanted,
    (trait, kind) => trait.retain || trait.stale || trait.imported || trait.contained || kind === 'read',
  );
  const last = wanted.operations.at(-1);
  const looks = last?.refresh === true || last?.kind === 'refresh';
  for (const [name, { read }] of Object.entries(last?.scripts ?? {})) if (read !== undefined) stays.add(name);
  const wished = withoutLeft(before, line.snapshot);
  return (
    differences(pictureOf(wished.snapshot, wished.world), pictureOf(line.snapshot, line.world), [
      ...vanished,
      ...[...stays].flatMap((name) => [name, `${name}x`]),
    ])
      // A refresh records the true state, which remains.
      .filter((line) => !looks || line.startsWith('objects'))
      .slice(0, 4)
      .join('; ')
  );
}

/** Removes entries that were pending delete before and may be gone by now. */
function withoutLeft({ snapshot, world }: Stack, after: Snapshot): Stack {
  // Entries without an object have no id by which they could be found again.
  const stays = ({ urn, id }: ResourceEntry): boolean =>
    id === '' ? after.resources.some((other) => other.delete && other.urn === urn) : owns(after, id);
  const left = snapshot.resources.filter((entry) => entry.delete && !stays(entry));
  const without = world.fork();
  for (const { id } of left) without.objects.delete(id);
  return {
    snapshot: { ...snapshot, resources: snapshot.resources.filter((e) => !left.includes(e)) },
    world: without,
  };
}

/** Deletes the object at a position, as another tool would. Returns the name of its resource. */
function vanishedAt(world: CutWorld, position: number): readonly string[] {
  const found = [...world.objects.values()][position];
  world.vanishAt(position);
  return found === undefined ? [] : [urnName(found.urn)];
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

function withRollback(scenario: CutScenario, isolate: RandomCut['isolate']): CutScenario {
  return {
    ...scenario,
    policy: { ...scenario.policy, continueOnError: false, onError: 'rollback', isolate },
  };
}

type Trait = {
  readonly retain: boolean;
  readonly stale: boolean;
  readonly contained: boolean;
  readonly imported: boolean;
};

function namesWhere(
  { prior, operations }: FuzzCase,
  holds: (trait: Trait, kind: WantedResource['kind']) => boolean,
): Set<string> {
  const names = new Set<string>();
  const note = (each: WantedResource | PriorEntry) => {
    const trait = {
      retain: each.retain,
      stale: ('stale' in each && each.stale !== undefined) || ('notReady' in each && each.notReady),
      imported: 'imported' in each && each.imported,
      contained: each.deletedWith !== undefined,
    };
    if (holds(trait, each.kind)) names.add(resourceName({ name: each.name }));
  };
  prior.forEach(note);
  for (const { program } of operations) program.forEach(note);
  return names;
}

/**
 * Returns ids of objects that may have no entry: kept on purpose, or deleted with another one according to the engine.
 */
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
