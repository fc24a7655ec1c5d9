import { randomFrom } from '../support/random.js';
import type { Random } from '../support/random.js';
import { OUTPUTS, answerLines, truthful } from './answers.js';
import { randomKill } from './kill.js';
import type { Kill } from './kill.js';
import { KINDS, edited, firstWant } from './model.js';
import type { Kind, Want } from './model.js';
import { Project } from './project.js';
import type { Ran } from './project.js';
import { stateOf } from './stack.js';
import type { Known, Pending } from './stack.js';
import { differences, leftOver, wantedWorld, worldOf } from './world.js';
import type { World } from './world.js';

/** What a run has come to. */
export interface Verdict {
  readonly seed: number;
  readonly kills: number;
  readonly questions: number;
  /** What should not be; none when all holds. */
  readonly faults: readonly string[];
  /** Everything that was typed and printed. */
  readonly transcript: string;
}

/** How an operation that was disturbed is gone on with. */
type Way = 'resume' | 'rollback';

/** What a run does to its stack. A rollback takes back the update before it, which is done. */
type Operation = 'up' | 'refresh' | 'rollback' | 'destroy';

const GOING_ON_AT_MOST = 12;
/** What an operation takes here, for choosing when to kill it. */
const TYPICAL_MS = { cairn: 1800, pulumi: 3200 } as const;

/**
 * One run: a stack is made, changed a few times and destroyed by whole commands on real providers; most of them are
 * killed and gone on with until they are done or taken back. `root`: the repository. `keep`: the folder of a run with
 * faults stays.
 */
export async function killRun(
  root: string,
  seed: number,
  options: { readonly keep: boolean },
): Promise<Verdict> {
  const random = randomFrom(seed * 7919 + 17);
  const sdk = random.below(3) === 0 ? 'pulumi' : 'cairn';
  const project = new Project(root, sdk, `${process.pid}-${seed}`);
  const run = new Run(project, random, sdk);
  try {
    await run.all();
  } catch (thrown) {
    run.faults.push(`the run ended early: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  const { kills, questions, faults } = run;
  const transcript = project.transcript.join('\n');
  if (faults.length === 0 || !options.keep) project.remove();
  return { seed, kills, questions, faults, transcript };
}

class Run {
  kills = 0;
  questions = 0;
  readonly faults: string[] = [];
  #now: Want = [];
  readonly #used = new Set<string>();

  constructor(
    private readonly project: Project,
    private readonly random: Random,
    private readonly sdk: 'cairn' | 'pulumi',
  ) {}

  async all(): Promise<void> {
    const kinds = this.sdk === 'cairn' ? KINDS.filter((kind) => kind !== 'dynamic') : KINDS;
    await this.#ok('cairn stack init dev');
    await this.#operation('up', firstWant(this.random, kinds));
    const rounds = 1 + this.random.below(2);
    for (let round = 0; round < rounds && this.#sound; round += 1) {
      const before = this.#now;
      if (before.length > 0 && this.random.below(6) === 0) await this.#operation('refresh', before);
      await this.#operation('up', this.#next(kinds));
      const moved = this.#now !== before;
      if (this.#sound && moved && this.random.below(3) === 0) await this.#operation('rollback', before);
    }
    if (this.#sound && this.random.below(2) === 0) await this.#operation('destroy', []);
  }

  #next(kinds: readonly Kind[]): Want {
    if (this.#now.length === 0) return firstWant(this.random, kinds);
    return edited(this.random, kinds, this.#now, this.#used);
  }

  get #sound(): boolean {
    return this.faults.length === 0;
  }

  /** One operation, with what it takes to end it one way or the other, and a look at everything afterwards. */
  async #operation(kind: Operation, wanted: Want): Promise<void> {
    const before = this.#now;
    for (const { name } of wanted) this.#used.add(name);
    if (kind === 'up') this.project.want(wanted);
    const way: Way = this.random.below(2) === 0 ? 'resume' : 'rollback';
    let ran = await this.#run(await this.#line(kind), this.#kill(before, wanted, 6));
    let last: Way | 'first' = 'first';
    for (let count = 0; ; count += 1) {
      if (!this.#sound) return;
      if (count === GOING_ON_AT_MOST) {
        this.faults.push(`not ended after ${GOING_ON_AT_MOST} commands that go on`);
        return;
      }
      if (ran.code === 0) break;
      if (ran.code === 11) {
        last = 'rollback';
        break;
      }
      this.#judgeEnd(ran);
      if (ran.code === 10) await this.#answer(ran);
      if (!(await this.#isUnfinished())) {
        // It was killed before it had begun anything or after it had done everything: there is nothing else that this
        // may take back or repeat.
        await this.#run(this.#nextLine(ran, way), { t: 'none' });
        last = 'first';
        break;
      }
      last = way;
      const disturbed = count < 3 ? this.#kill(before, wanted, 3) : { t: 'none' as const };
      ran = await this.#run(this.#nextLine(ran, way), disturbed);
    }
    // A rollback that was stopped is gone on with by both.
    const end = kind === 'rollback' && last !== 'first' ? 'resume' : last;
    this.#now = await this.#whichOne(end, before, wanted);
    await this.#judge();
  }

  /** How an operation is begun. A change that is done is only taken back by its number. */
  async #line(kind: Operation): Promise<string> {
    if (kind !== 'rollback') return `cairn ${kind} --yes --skip-preview`;
    const listed = JSON.parse((await this.#ok('cairn changes --json')).stdout) as readonly {
      readonly id: string | number;
    }[];
    return `cairn rollback ${listed.at(-1)?.id} --yes --skip-preview`;
  }

  #kill(before: Want, wanted: Want, outOf10: number): Kill {
    if (this.random.below(10) >= outOf10) return { t: 'none' };
    return randomKill(this.random, before, wanted, TYPICAL_MS[this.sdk]);
  }

  /** The line that the last command has printed for this way, as it is printed; a killed one has printed none. */
  #nextLine({ stdout, stderr }: Ran, way: Way): string {
    const printed = new RegExp(`^ {4}(cairn ${way} .*)$`, 'm').exec(`${stdout}\n${stderr}`)?.[1];
    const line = printed ?? `cairn ${way}`;
    // A rollback asks; without a terminal that is answered beforehand.
    return way === 'rollback' ? line.replace(/ *(#.*)?$/, ' --yes  $1').trimEnd() : line;
  }

  /** Only what was disturbed may fail; what waits has its own exit code. */
  #judgeEnd(ran: Ran): void {
    if (ran.code === 10 || ran.disturbed) return;
    this.faults.push(`\`${ran.line}\` ended with ${ran.signal ?? ran.code}, and nothing had disturbed it`);
  }

  /** Answers every question by what the log says, with the lines as they are printed, in their order. */
  async #answer({ stdout }: Ran): Promise<void> {
    const lines = answerLines(stdout);
    if (lines.length === 0) this.faults.push('exit code 10, and no line that answers');
    for (const key of new Set(lines.map((line) => line.key))) {
      const state = stateOf((await this.#ok('cairn stack export')).stdout);
      const mine = lines.filter((line) => line.key === key);
      const about =
        state.pending.find((one) => aboutThis(stdout, key, one.urn)) ??
        unheld(stdout, key, state.entries, worldOf(this.project.directory).world);
      const answer =
        about === undefined ? undefined : truthful(mine, about, worldOf(this.project.directory).world);
      if (answer === undefined) {
        this.faults.push(`no printed line says what became of ${key}`);
        return;
      }
      this.questions += 1;
      if (about !== undefined) this.project.write(OUTPUTS, JSON.stringify(about.outputs));
      const end = await this.#run(answer, { t: 'none' });
      if (end.code !== 0 && end.code !== 10)
        this.faults.push(`\`${answer}\` was printed, and ended with ${end.code}`);
    }
  }

  async #isUnfinished(): Promise<boolean> {
    const listed = await this.#ok('cairn changes --select in-progress --json');
    return (JSON.parse(listed.stdout) as readonly unknown[]).length > 0;
  }

  /**
   * Which of the two programs the stack is at. What ended before it could be gone on with has either done everything or
   * nothing.
   */
  async #whichOne(last: Way | 'first', before: Want, wanted: Want): Promise<Want> {
    if (last === 'resume') return wanted;
    if (last === 'rollback') return before;
    const { world } = stateOf((await this.#ok('cairn stack export')).stdout);
    return differences(world, wantedWorld(wanted)).length === 0 ? wanted : before;
  }

  /** World, state, locks, files and a preview, when an operation has ended. */
  async #judge(): Promise<void> {
    const expected = wantedWorld(this.#now);
    const { world, faults } = worldOf(this.project.directory);
    this.faults.push(...faults, ...differences(world, expected).map((line) => `world: ${line}`));
    const state = stateOf((await this.#ok('cairn stack export')).stdout);
    this.faults.push(...state.faults, ...differences(state.world, expected).map((line) => `state: ${line}`));
    this.faults.push(...state.pending.map(({ type, urn }) => `state: pending ${type} ${urn}`));
    this.faults.push(...this.project.locks().map((file) => `lock left: ${file}`));
    this.faults.push(
      ...leftOver(this.project.directory, this.project.known).map((file) => `file left: ${file}`),
    );
    if (this.#now.length === 0) return;
    this.project.want(this.#now);
    const preview = await this.#run('cairn preview --expect-no-changes', { t: 'none' });
    if (preview.code !== 0) this.faults.push('a preview of the program that is deployed shows changes');
  }

  async #ok(line: string): Promise<Ran> {
    const ran = await this.#run(line, { t: 'none' }, { brief: true });
    if (ran.code !== 0) throw new Error(`\`${line}\` ended with ${ran.signal ?? ran.code}`);
    return ran;
  }

  async #run(line: string, kill: Kill, options: { readonly brief?: boolean } = {}): Promise<Ran> {
    const ran = await this.project.run(line, kill, options);
    if (ran.disturbed) this.kills += 1;
    if (
      ran.code === 255 ||
      /CAIRN-INTERNAL|CAIRN-STATE-INTEGRITY|CAIRN-STORE-CONFLICT/.test(ran.stdout + ran.stderr)
    )
      this.faults.push(`\`${line}\` shows a fault of the product`);
    this.faults.push(...ran.left.map((process) => `process left: ${process}`));
    return ran;
  }
}

/**
 * An update or delete in doubt that the state does not hold as begun: the question says which, and the world whether it
 * was done.
 */
function unheld(
  stdout: string,
  key: string,
  entries: ReadonlyMap<string, Known>,
  world: World,
): Pending | undefined {
  const found = [...entries].find(([urn]) => aboutThis(stdout, key, urn));
  if (found === undefined) return undefined;
  const [urn, entry] = found;
  const asked = new RegExp(`resolve ${key} --done.*# it was (updated|deleted)`).exec(stdout)?.[1];
  if (asked === 'deleted') return { ...entry, urn, type: 'deleting' };
  if (asked !== 'updated') return undefined;
  const is = world.get(entry.object);
  const value = is === undefined || is === entry.value ? 'another' : is;
  const outputs =
    'value' in entry.outputs ? { ...entry.outputs, value: Number(value) } : { stdout: value, stderr: '' };
  return { urn, type: 'updating', object: entry.object, value, outputs };
}

/** Whether the question about `key` names a resource: by its URN, or by its name on the line before. */
function aboutThis(stdout: string, key: string, urn: string): boolean {
  if (key.includes(urn)) return true;
  const name = urn.slice(urn.lastIndexOf('::') + 2);
  return stdout
    .split('\n')
    .some((line) => line.startsWith(`${key} ${name} `) || (line.includes(key) && line.includes(urn)));
}
