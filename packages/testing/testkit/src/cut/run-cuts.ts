import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { messageOf } from '@cairn/diagnostics';
import type { CutScenario } from './cut-scenario.js';
import type { Help } from './cut-world.js';
import { goOn, startLine, stoppedAt } from './line.js';
import type { How, Line, WentOn } from './line.js';
import { differences, pictureOf } from './picture.js';
import type { Picture } from './picture.js';
import { stackBefore } from './stack.js';
import { secretFaults, worldFaults } from './world-faults.js';

/** Selection of instants. */
interface CutChoice {
  readonly helps: readonly Help[];
  /** Step between the tested instants of one run. */
  readonly every: number;
  /**
   * First tested instant. By default each way of helping begins with the next one, so that all of them together test
   * every instant if there are at least `every` ways.
   */
  readonly from?: number | undefined;
  /** Interval of cuts whose continuation is stopped as well. 0 for never. */
  readonly again: number;
}

/** One cut after which a fault was found. */
interface CutFault {
  /** Scenario, help, and number of the instant: sufficient to repeat it. */
  readonly where: string;
  /** The event just before the process died. */
  readonly after: string;
  /** The continuations after the cut. */
  readonly how: string;
  readonly faults: readonly string[];
}

/** Result of the cuts of some scenarios. */
interface CutReport {
  /** Number of instants at which a process was stopped, including those of continuations. */
  readonly cuts: number;
  /** Number of continuations of a stopped operation. */
  readonly runs: number;
  readonly faults: readonly CutFault[];
}

/** Maximum number of continuations of a failed operation before the failure counts as permanent. */
const TRIES = 4;

/** Expected result of a scenario, for both continuations. */
interface Expected {
  readonly before: Picture;
  readonly after: Picture;
  readonly limits: ReadonlyMap<Urn, number>;
}

/**
 * Stops the operation of a scenario at its instants, and continues in both ways from each. A resume must reach the
 * result of the uninterrupted run, a rollback the stack before it. Nothing may be created twice or be lost.
 */
export async function cutScenario(scenario: CutScenario, choice: CutChoice): Promise<CutReport> {
  const tally = new Tally();
  for (const [index, help] of choice.helps.entries()) {
    const from = choice.from ?? index % choice.every;
    await cutWith(scenario, help, { ...choice, from }, tally);
  }
  return tally;
}

class Tally implements CutReport {
  cuts = 0;
  runs = 0;
  readonly faults: CutFault[] = [];
}

async function cutWith(
  scenario: CutScenario,
  help: Help,
  choice: CutChoice & { readonly from: number },
  tally: Tally,
): Promise<void> {
  const stack = await stackBefore(scenario, help);
  const uncut = await startLine(scenario, stack.snapshot, stack.world.fork());
  const expected = await expectedOf(stack, uncut);
  const { instants } = uncut.watch;
  for (let at = choice.from; at < instants.length; at += choice.every) {
    const instant = instants[at];
    if (instant === undefined) break;
    tally.cuts += 1;
    const where = `${scenario.title} / ${help} / ${at}`;
    for (const how of ['resume', 'rollback'] as const) {
      const went = await check(
        stopped(uncut.line, instant, expected),
        [how],
        expected,
        where,
        instant.after,
        tally,
      );
      if (went === undefined || choice.again === 0 || tally.runs % choice.again !== 0) continue;
      await cutAgain(went, how, expected, where, tally);
    }
  }
}

/** Stops a continuation in its middle, and continues that in both ways. */
async function cutAgain(
  went: WentOn,
  first: How,
  expected: Expected,
  where: string,
  tally: Tally,
): Promise<void> {
  const { instants } = went.watch;
  const instant = instants[Math.floor(instants.length / 2)];
  if (instant === undefined) return;
  tally.cuts += 1;
  for (const how of ['resume', 'rollback'] as const) {
    // A rollback that has begun is continued as a rollback.
    const meant = first === 'rollback' ? 'rollback' : how;
    await check(stopped(went.line, instant, expected), [first, meant], expected, where, instant.after, tally);
    if (first === 'rollback') return;
  }
}

function stopped(line: Line, instant: WentOn['watch']['instants'][number], { limits }: Expected): Line {
  const found = stoppedAt(line, instant);
  found.world.limits = limits;
  return found;
}

/** Continues a line and records the faults afterwards. Returns undefined if the continuation threw. */
async function check(
  line: Line,
  hows: readonly How[],
  expected: Expected,
  where: string,
  after: string,
  tally: Tally,
): Promise<WentOn | undefined> {
  const how = hows.at(-1) ?? 'resume';
  const note = (faults: readonly string[]) => {
    if (faults.length > 0) tally.faults.push({ where, after, how: hows.join(', then '), faults });
  };
  try {
    tally.runs += 1;
    const went = await goOn(line, how);
    const last = how === 'resume' ? await settled(went) : went;
    note(faultsOf(last, how, expected));
    return went;
  } catch (thrown) {
    note([`it throws: ${messageOf(thrown)}`]);
    return undefined;
  }
}

function faultsOf(went: WentOn, how: How, { before, after }: Expected): readonly string[] {
  const { line, outcome } = went;
  const { scenario, snapshot, world } = line;
  const { result } = outcome.result.summary;
  const good = how === 'resume' || result === 'rolled-back' || result === 'succeeded';
  const found = pictureOf(snapshot, world);
  const differs =
    how === 'resume'
      ? differences(after, found, scenario.varies)
      : differences(before, found, scenario.stays);
  const faults = [
    ...(good ? [] : [`the rollback ends as ${result}`]),
    ...worldFaults(snapshot, world, releasedIn(line)),
    ...secretFaults(line.changes.flatMap(({ records }) => records)),
    ...differs,
  ];
  return faults.length === 0 ? faults : [...faults, ...outcome.complaints, `result ${result}`];
}

/** Returns the result of the uninterrupted run: continued as long as it fails and something changes. */
async function expectedOf(stack: Pick<Line, 'snapshot' | 'world'>, uncut: WentOn): Promise<Expected> {
  const last = await settled({ ...uncut, line: { ...uncut.line, world: uncut.line.world.fork() } });
  const limits = new Map(uncut.line.world.most);
  return {
    before: pictureOf(stack.snapshot, stack.world),
    after: pictureOf(last.line.snapshot, last.line.world),
    limits,
  };
}

/** Continues a failed operation until that changes nothing. */
async function settled(went: WentOn): Promise<WentOn> {
  let last = went;
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (last.outcome.result.summary.result !== 'failed') return last;
    const { line } = last;
    const before = pictureOf(line.snapshot, line.world);
    const doubt = line.snapshot.pendingOperations.length > 0 || last.outcome.result.inDoubt.length > 0;
    const next = await goOn(line, 'resume');
    if (!doubt && differences(before, pictureOf(next.line.snapshot, next.line.world)).length === 0)
      return next;
    last = next;
  }
  return last;
}

/** Returns objects without a required entry: released by the scenario, or existing from the beginning. */
function releasedIn({ scenario, world }: Line): ReadonlySet<string> {
  const names = new Set([
    ...(scenario.retains ?? []),
    ...Object.values(scenario.outside ?? {}).map(({ name }) => name),
  ]);
  return new Set([...world.objects].filter(([, { urn }]) => names.has(urnName(urn))).map(([id]) => id));
}
