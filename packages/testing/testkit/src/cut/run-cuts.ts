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

/** Which instants are tried. */
interface CutChoice {
  readonly helps: readonly Help[];
  /** Of the instants of one run: every so-many-th, beginning with this one. */
  readonly every: number;
  readonly from?: number;
  /** Stop what goes on as well, once in so many cuts; 0: never. */
  readonly again: number;
}

/** One cut after which something was wrong. */
interface CutFault {
  /** Scenario, help, and number of the instant: enough to do it again. */
  readonly where: string;
  /** What had just happened when the process died. */
  readonly after: string;
  /** What was done then. */
  readonly how: string;
  readonly faults: readonly string[];
}

/** What the cuts of some scenarios came to. */
interface CutReport {
  /** Instants at which a process was stopped, those of operations that go on included. */
  readonly cuts: number;
  /** Operations that went on with a stopped one. */
  readonly runs: number;
  readonly faults: readonly CutFault[];
}

/** How often a failed operation is gone on with before it is taken to fail for good. */
const TRIES = 4;

/** What a scenario must come to, either way. */
interface Expected {
  readonly before: Picture;
  readonly after: Picture;
  readonly limits: ReadonlyMap<Urn, number>;
}

/**
 * Stops the operation of a scenario at its instants, and goes on both ways from each: a resume must come to what the
 * run comes to that was never stopped, a rollback to what was before it; nothing may be made twice or be lost.
 */
export async function cutScenario(scenario: CutScenario, choice: CutChoice): Promise<CutReport> {
  const tally = new Tally();
  for (const help of choice.helps) await cutWith(scenario, help, choice, tally);
  return tally;
}

class Tally implements CutReport {
  cuts = 0;
  runs = 0;
  readonly faults: CutFault[] = [];
}

async function cutWith(scenario: CutScenario, help: Help, choice: CutChoice, tally: Tally): Promise<void> {
  const stack = await stackBefore(scenario, help);
  const uncut = await startLine(scenario, stack.snapshot, stack.world.fork());
  const expected = await expectedOf(stack, uncut);
  const { instants } = uncut.watch;
  for (let at = choice.from ?? 0; at < instants.length; at += choice.every) {
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

/** Stops what goes on in its middle, and goes on with that both ways. */
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
    // Who had begun to roll back goes on with that.
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

/** Goes on and notes what is wrong afterwards; undefined when it could not go on at all. */
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

/** What the run comes to that is never stopped: gone on with while it fails and something changes. */
async function expectedOf(stack: Pick<Line, 'snapshot' | 'world'>, uncut: WentOn): Promise<Expected> {
  const last = await settled({ ...uncut, line: { ...uncut.line, world: uncut.line.world.fork() } });
  const limits = new Map(uncut.line.world.most);
  return {
    before: pictureOf(stack.snapshot, stack.world),
    after: pictureOf(last.line.snapshot, last.line.world),
    limits,
  };
}

/** Goes on with what failed until that changes nothing any more. */
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

/** Objects that nobody need know: let go of by the scenario, or there before anybody made anything. */
function releasedIn({ scenario, world }: Line): ReadonlySet<string> {
  const names = new Set([
    ...(scenario.retains ?? []),
    ...Object.values(scenario.outside ?? {}).map(({ name }) => name),
  ]);
  return new Set([...world.objects].filter(([, { urn }]) => names.has(urnName(urn))).map(([id]) => id));
}
