import type { ChangeRecord } from '@cairn/changes';
import { continueFrom, decodePlan, encodePlan, resumeSource } from '@cairn/engine';
import type {
  Continued,
  EarlierChanges,
  OpenEntry,
  OperationRequest,
  DoubtResolution,
  SavedPlan,
  WaitingTask,
} from '@cairn/engine';
import { decodeResource, encodeSnapshot, newManifest, pendingName } from '@cairn/state';
import type { SerializedDeployment, Snapshot } from '@cairn/state';
import { equalMaps } from '@cairn/values';
import type { LiveObject } from '../provider/mock-objects.js';
import type { Outcome, Scenario } from '../world/scenario.js';
import type { CutScenario } from './cut-scenario.js';
import type { CutWorld } from './cut-world.js';
import { InstantWatch } from './instants.js';
import { sealing } from './sealing.js';
import { folded, operate } from './stack.js';

/** One change of a line: its remaining records, and the stack before it. */
interface LineChange {
  readonly base: Snapshot;
  readonly records: readonly ChangeRecord[];
}

/** An operation and its continuations, as a backend keeps them. The last one is stopped or ended. */
export interface Line {
  readonly scenario: CutScenario;
  readonly changes: readonly LineChange[];
  /** The stack after the last change. */
  readonly snapshot: Snapshot;
  readonly world: CutWorld;
  /** The plan that its first operation had to follow. */
  readonly plan?: SavedPlan | undefined;
}

/** Ways to continue a line. */
export type How = 'resume' | 'rollback';

/** A continued line, and the outcome of its last operation. */
export interface WentOn {
  readonly line: Line;
  readonly outcome: Outcome;
  /** Instants of the last operation, in order. */
  readonly watch: InstantWatch;
}

/** Key under which the goals of a line are stored. */
const GOAL_KEY = Uint8Array.from({ length: 32 }, (_, index) => index);

/** Maximum number of rounds of answers. */
const ANSWERS = 6;

/** Starts a line: the operation of the scenario. */
export async function startLine(scenario: CutScenario, snapshot: Snapshot, world: CutWorld): Promise<WentOn> {
  const line = { scenario, changes: [], snapshot, world };
  if (scenario.planned !== true) return run(line);
  const plan = await planOf(line);
  return run({ ...line, plan }, {}, { plan: { follow: plan } });
}

/** Returns the plan of a preview, as a plan file keeps it. */
async function planOf({ scenario, snapshot, world }: Line): Promise<SavedPlan> {
  const stack = { snapshot, world: world.fork() };
  const { result } = await operate(scenario, stack, { preview: true, plan: { make: true } });
  if (result.plan === undefined) throw new Error(`${scenario.title}: the preview made no plan`);
  const manifest = newManifest(new Date(0), 'v0.0.0');
  const text = encodePlan(result.plan, { manifest, config: {}, crypter: sealing });
  return decodePlan(text, { file: 'plan.json', project: 'test', stack: 'test', crypter: sealing });
}

/** Resumes from a complete plan alone: nothing else contains the goals. */
function withPlan({ plan }: Line, past: Continued['past']): Pick<Scenario, 'plan' | 'program'> {
  const source = resumeSource(plan, past, GOAL_KEY);
  if (source.t === 'program') throw new Error(`the plan is not enough: ${source.why}`);
  const program = () => Promise.reject(new Error('there is no program'));
  return { program, plan: { follow: plan, replay: source.transcript } };
}

/** Returns the line after its last operation stopped at an instant: only the durable part remains. */
export function stoppedAt(line: Line, { records, world }: InstantWatch['instants'][number]): Line {
  const last = line.changes.at(-1);
  if (last === undefined) throw new Error('a line without a change cannot be stopped');
  return {
    ...line,
    changes: [...line.changes.slice(0, -1), { ...last, records }],
    snapshot: folded(last.base, records),
    world: world.fork(),
  };
}

/**
 * Continues a line until it no longer waits. Questions get true answers: the world is searched for an existing object
 * without an entry.
 */
export async function goOn(line: Line, how: How): Promise<WentOn> {
  const resolutions = new Map<string, DoubtResolution>();
  let went = await step(line, how, resolutions);
  for (let asked = 0; asked < ANSWERS; asked += 1) {
    const questions = went.outcome.result.waiting.filter(({ kind }) => kind === 'in-doubt');
    if (questions.length === 0) return went;
    for (const question of questions) resolutions.set(question.task, answerTo(question, went.line));
    went = await step(went.line, how, resolutions);
  }
  throw new Error(`it asks again and again: ${JSON.stringify(went.outcome.result.waiting)}`);
}

/** Returns the true answer. It contains outputs if they are requested, or if an answer without them was refused. */
function answerTo(
  { urn, task, doubt, why, outputs: asked }: WaitingTask,
  { snapshot, world }: Line,
): DoubtResolution {
  const told = (object: LiveObject | undefined) =>
    asked === undefined && !/cannot record what was/.test(why) ? {} : { outputs: object?.outputs };
  if (doubt === 'updating' || doubt === 'deleting') {
    const about = [...snapshot.pendingOperations.map(({ resource }) => resource), ...snapshot.resources];
    const begun = about.find((resource) => pendingName({ type: doubt, resource }) === task);
    const object = begun === undefined ? undefined : world.objects.get(begun.id);
    if (doubt === 'deleting') return object === undefined ? { done: true } : 'not-done';
    const isDone = begun !== undefined && object !== undefined && equalMaps(object.inputs, begun.inputs);
    return isDone ? { done: true, ...told(object) } : 'not-done';
  }
  const known = new Set(snapshot.resources.map(({ id }) => id));
  const found = [...world.objects].filter(([id, object]) => object.urn === urn && !known.has(id));
  const [id, object] = found.at(-1) ?? [];
  return id === undefined ? 'not-created' : { created: id, ...told(object) };
}

function step(line: Line, how: How, resolutions: ReadonlyMap<string, DoubtResolution>): Promise<WentOn> {
  const open: OpenEntry = (resource) => decodeResource(resource, sealing, 'a record');
  const before = line.changes[0]?.base ?? line.snapshot;
  const changes = numbered(line);
  const { doubts: _doubts, ...request } = continueFrom(
    { snapshot: line.snapshot, inDoubt: changes, lineage: { how, changes, before }, answers: resolutions },
    open,
  );
  if (how === 'rollback') return run(line, request, { kind: how });
  const past = request.continues?.past ?? [];
  return run(line, request, line.plan === undefined ? {} : withPlan(line, past));
}

async function run(
  line: Line,
  request: Partial<OperationRequest> = {},
  more: Parameters<typeof operate>[2] = {},
): Promise<WentOn> {
  const { scenario, snapshot, world, changes } = line;
  const watch = new InstantWatch(world);
  const outcome = await operate(scenario, line, {
    ...more,
    store: watch.store,
    request: { ...request, stored: serialized(snapshot), goalKey: GOAL_KEY },
  });
  watch.end();
  const records = watch.store.records;
  const next = { ...line, changes: [...changes, { base: snapshot, records }], snapshot: outcome.snapshot };
  return { line: next, outcome, watch };
}

function numbered({ changes }: Line): NonNullable<EarlierChanges['lineage']>['changes'] {
  return changes.map(({ base, records }, index) => ({
    change: String(index + 1),
    records,
    base: serialized(base),
  }));
}

function serialized(snapshot: Snapshot): SerializedDeployment {
  return encodeSnapshot(snapshot, newManifest(new Date(0), 'v0.0.0'), sealing);
}
