import { randomFrom } from '../support/random.js';
import type { Random } from '../support/random.js';
import { OUTPUTS, answerLines, truthful } from './answers.js';
import { drifted, randomDrift } from './drift.js';
import { randomKill } from './kill.js';
import type { Course, Kill } from './kill.js';
import { KINDS, edited, firstWant, objectOf } from './model.js';
import type { Kind, Want } from './model.js';
import { Project } from './project.js';
import type { Ran } from './project.js';
import { stateOf } from './stack.js';
import type { Known, Pending } from './stack.js';
import type { KillsStore } from './store.js';
import { differences, leftOver, wantedWorld, worldOf } from './world.js';
import type { World } from './world.js';

/** Result of a run. */
export interface Verdict {
  readonly seed: number;
  readonly kills: number;
  readonly questions: number;
  /** Violations of what must hold. */
  readonly faults: readonly string[];
  /** Everything that was typed and printed. */
  readonly transcript: string;
}

/** Ways to continue a disturbed operation. */
type Way = 'resume' | 'rollback';

/** Operations of a run on its stack. A rollback rolls back the update before it, which is done. */
type Operation = 'up' | 'refresh' | 'rollback' | 'destroy';

/** Position of a stack: the resources of its program, those of its state, and the objects that exist. */
interface Stand {
  readonly program: Want;
  readonly state: Want;
  readonly world: Want;
}

const EMPTY: Stand = { program: [], state: [], world: [] };

/** The exit code of a preview that shows changes and should show none. */
const EXIT_CHANGES = 7;
const GOING_ON_AT_MOST = 12;
/** Typical duration of an operation here, for choosing when to kill it. */
const TYPICAL_MS = { cairn: 1800, pulumi: 3200 } as const;

/** Kind that programs on an SDK do not have. */
const LACKS = { cairn: 'dynamic', pulumi: 'terraform' } as const;

/**
 * Makes one run: whole commands on real providers make a stack, change it a few times and destroy it. Most of them are
 * killed and continued until they are done or rolled back. `root`: the repository. `keep`: the folder of a run with
 * faults stays. `kinds`: the only kinds of resources. `store`: see {@link Project}.
 */
export async function killRun(
  root: string,
  seed: number,
  options: {
    readonly keep: boolean;
    readonly kinds?: readonly string[] | undefined;
    readonly store?: KillsStore | undefined;
  },
): Promise<Verdict> {
  const random = randomFrom(seed * 7919 + 17);
  const wanted = KINDS.filter((kind) => options.kinds?.includes(kind) ?? true);
  const drawn = random.below(3) === 0 ? 'pulumi' : 'cairn';
  const other = drawn === 'cairn' ? 'pulumi' : 'cairn';
  const sdk = wanted.some((kind) => kind !== LACKS[drawn]) ? drawn : other;
  const project = new Project(root, sdk, `${process.pid}-${seed}`, options.store);
  const kinds = wanted.filter((kind) => kind !== LACKS[sdk]);
  const run = new Run(project, random, sdk, kinds);
  try {
    await project.prepare();
    await run.all();
  } catch (thrown) {
    run.faults.push(`the run ended early: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  } finally {
    await project.close();
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
  #now = EMPTY;
  readonly #used = new Set<string>();
  readonly #project: Project;
  readonly #random: Random;
  readonly #sdk: 'cairn' | 'pulumi';
  readonly #kinds: readonly Kind[];

  constructor(project: Project, random: Random, sdk: 'cairn' | 'pulumi', kinds: readonly Kind[]) {
    this.#project = project;
    this.#random = random;
    this.#sdk = sdk;
    this.#kinds = kinds;
  }

  async all(): Promise<void> {
    const kinds = this.#kinds;
    await this.#ok('cairn stack init dev');
    await this.#operation('up', standOf(firstWant(this.#random, kinds)));
    const rounds = 1 + this.#random.below(2);
    for (let round = 0; round < rounds && this.#sound; round += 1) {
      if (this.#now.state.length > 0 && this.#random.below(3) === 0) await this.#refresh();
      if (!this.#sound) return;
      const before = this.#now;
      await this.#operation('up', this.#next(kinds));
      const moved = this.#now !== before;
      // Drift that the update found stays in the state.
      if (this.#sound && moved && this.#random.below(3) === 0)
        await this.#operation('rollback', { ...before, state: before.world });
    }
    if (this.#sound && this.#random.below(2) === 0) await this.#operation('destroy', EMPTY);
  }

  /** Alters objects behind Cairn's back, or none; then refreshes the stack. */
  async #refresh(): Promise<void> {
    const drift = this.#random.below(4) > 0 ? randomDrift(this.#random, this.#now.world) : [];
    this.#project.drift(drift);
    const world = drifted(this.#now.world, drift);
    this.#now = { ...this.#now, world };
    await this.#operation('refresh', { ...this.#now, state: world });
  }

  /** Returns the next program; after drift sometimes the same, which repairs the drift. */
  #next(kinds: readonly Kind[]): Stand {
    const { program, state, world } = this.#now;
    if (program.length === 0) return standOf(firstWant(this.#random, kinds));
    if ((differ(state, program) || differ(world, program)) && this.#random.below(2) === 0)
      return standOf(program);
    return standOf(edited(this.#random, kinds, program, this.#used));
  }

  get #sound(): boolean {
    return this.faults.length === 0;
  }

  /** Runs one operation, continues it until it has ended one way or the other, and checks everything afterwards. */
  async #operation(kind: Operation, wanted: Stand): Promise<void> {
    const before = this.#now;
    for (const { name } of wanted.program) this.#used.add(name);
    if (kind === 'up') this.#project.want(wanted.program);
    const way: Way = this.#random.below(2) === 0 ? 'resume' : 'rollback';
    const line = await this.#line(kind);
    const looks = /refresh/.test(line);
    let ran = await this.#run(line, this.#kill(before, wanted, looks, 6));
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
      const [from, to] = way === 'resume' ? [before, wanted] : [wanted, before];
      const disturbed = count < 3 ? this.#kill(from, to, true, 3) : { t: 'none' as const };
      ran = await this.#run(this.#nextLine(ran, way), disturbed);
    }
    // Both ways continue a rollback that was stopped.
    const end = kind === 'rollback' && last !== 'first' ? 'resume' : last;
    this.#now = await this.#whichOne(end, before, wanted);
    await this.#judge();
  }

  /**
   * Returns the command line that begins an operation. A change that is done is only rolled back by its number. An
   * operation that does not look first would act on objects that are gone.
   */
  async #line(kind: Operation): Promise<string> {
    const { state, world } = this.#now;
    const more =
      kind === 'refresh' ? this.#sometimes(' --run-program') : differ(state, world) ? ' --refresh' : '';
    if (kind !== 'rollback') return `cairn ${kind} --yes --skip-preview${more}`;
    const listed = JSON.parse((await this.#ok('cairn changes --json')).stdout) as readonly {
      readonly id: string | number;
    }[];
    return `cairn rollback ${listed.at(-1)?.id} --yes --skip-preview`;
  }

  #sometimes(word: string): string {
    return this.#random.below(4) === 0 ? word : '';
  }

  /** Draws a disturbance of a command that leads from one stand to another. `looks`: it may read existing objects. */
  #kill(from: Stand, to: Stand, looks: boolean, outOf10: number): Kill {
    if (this.#random.below(10) >= outOf10) return { t: 'none' };
    const course: Course = { before: from.world, after: to.world, seen: looks ? from.world : [] };
    return randomKill(this.#random, course, TYPICAL_MS[this.#sdk]);
  }

  /** The line that the last command has printed for this way, as it is printed; a killed one has printed none. */
  #nextLine({ stdout, stderr }: Ran, way: Way): string {
    const printed = new RegExp(`^ {4}(cairn ${way} .*)$`, 'm').exec(`${stdout}\n${stderr}`)?.[1];
    const line = printed ?? `cairn ${way}`;
    // A rollback asks; without a terminal that is answered beforehand.
    return way === 'rollback' ? line.replace(/ *(#.*)?$/, ' --yes  $1').trimEnd() : line;
  }

  /**
   * Only a disturbed command may fail. A waiting one has its own exit code. A change that was done when it was killed
   * is not rolled back without being named.
   */
  #judgeEnd(ran: Ran): void {
    if (ran.code === 10 || ran.disturbed) return;
    if (ran.code === 2 && /was done, and is now stored/.test(ran.stderr)) return;
    this.faults.push(`\`${ran.line}\` ended with ${ran.signal ?? ran.code}, and nothing had disturbed it`);
  }

  /** Answers every question according to the log, with the printed lines, in their order. */
  async #answer({ stdout }: Ran): Promise<void> {
    const lines = answerLines(stdout);
    if (lines.length === 0) this.faults.push('exit code 10, and no line that answers');
    for (const key of new Set(lines.map((line) => line.key))) {
      const state = stateOf((await this.#ok('cairn stack export')).stdout);
      const mine = lines.filter((line) => line.key === key);
      const about =
        state.pending.find((one) => aboutThis(stdout, key, one.urn)) ??
        unheld(stdout, key, state.entries, worldOf(this.#project.directory).world);
      const answer =
        about === undefined ? undefined : truthful(mine, about, worldOf(this.#project.directory).world);
      if (answer === undefined) {
        this.faults.push(`no printed line says what became of ${key}`);
        return;
      }
      this.questions += 1;
      if (about !== undefined) this.#project.write(OUTPUTS, JSON.stringify(about.outputs));
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
   * Tells which of the two the stack is at. An operation that ended before it could be continued has either done
   * everything or nothing.
   */
  async #whichOne(last: Way | 'first', before: Stand, wanted: Stand): Promise<Stand> {
    if (last === 'resume') return wanted;
    const state = stateOf((await this.#ok('cairn stack export')).stdout).world;
    if (last === 'rollback') return { ...before, state: noticed(before, state) };
    const { world } = worldOf(this.#project.directory);
    const isIt =
      differences(state, wantedWorld(wanted.state)).length === 0 &&
      differences(world, wantedWorld(wanted.world)).length === 0;
    return isIt ? wanted : before;
  }

  /** World, state, locks, files and a preview, when an operation has ended. */
  async #judge(): Promise<void> {
    const now = this.#now;
    const { world, faults } = worldOf(this.#project.directory);
    const expected = wantedWorld(now.world);
    this.faults.push(...faults, ...differences(world, expected).map((line) => `world: ${line}`));
    const state = stateOf((await this.#ok('cairn stack export')).stdout);
    const held = wantedWorld(now.state);
    this.faults.push(...state.faults, ...differences(state.world, held).map((line) => `state: ${line}`));
    this.faults.push(...state.pending.map(({ type, urn }) => `state: pending ${type} ${urn}`));
    this.faults.push(...this.#project.locks().map((file) => `lock left: ${file}`));
    this.faults.push(
      ...leftOver(this.#project.directory, this.#project.known).map((file) => `file left: ${file}`),
    );
    if (now.program.length === 0) return;
    this.#project.want(now.program);
    const preview = this.#judged(await this.#project.ask('cairn preview --expect-no-changes'));
    const code = differ(now.program, now.state) ? EXIT_CHANGES : 0;
    if (preview.code !== code)
      this.faults.push(`a preview of the program that is deployed ended with ${preview.code}, not ${code}`);
  }

  async #ok(line: string): Promise<Ran> {
    const ran = this.#judged(await this.#project.ask(line));
    if (ran.code !== 0) throw new Error(`\`${line}\` ended with ${ran.signal ?? ran.code}`);
    return ran;
  }

  async #run(line: string, kill: Kill): Promise<Ran> {
    return this.#judged(await this.#project.run(line, kill));
  }

  /** The same, its faults noted. */
  #judged(ran: Ran): Ran {
    if (ran.disturbed) this.kills += 1;
    if (
      ran.code === 255 ||
      /CAIRN-INTERNAL|CAIRN-STATE-INTEGRITY|CAIRN-STORE-CONFLICT/.test(ran.stdout + ran.stderr)
    )
      this.faults.push(`\`${ran.line}\` shows a fault of the product`);
    for (const beside of ran.beside)
      if (beside.code !== 0 && !/CAIRN-CHANGE-ENDED/.test(beside.stderr))
        this.faults.push(`\`${beside.line}\` ended with ${beside.signal ?? beside.code}`);
    this.faults.push(...ran.left.map((process) => `process left: ${process}`));
    return ran;
  }
}

/** Returns a stack that matches its program. */
const standOf = (want: Want): Stand => ({ program: want, state: want, world: want });

/** Tells whether two programs lead to different objects. */
function differ(one: Want, other: Want): boolean {
  return differences(wantedWorld(one), wantedWorld(other)).length > 0;
}

/** Returns the state after a rollback: the former one, and of drift what was found, which is true and stays. */
function noticed(before: Stand, state: World): Want {
  const world = wantedWorld(before.world);
  return before.state.flatMap((one) => {
    const found = state.get(objectOf(one)) === world.get(objectOf(one));
    return found ? before.world.filter((real) => objectOf(real) === objectOf(one)) : [one];
  });
}

/**
 * Finds an update or delete in doubt that the state does not hold as begun: the question names it, and the world shows
 * whether it was done.
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

/** Tells whether the question about `key` names a resource: by its URN, or by its name on the line before. */
function aboutThis(stdout: string, key: string, urn: string): boolean {
  if (key.includes(urn)) return true;
  const name = urn.slice(urn.lastIndexOf('::') + 2);
  return stdout
    .split('\n')
    .some((line) => line.startsWith(`${key} ${name} `) || (line.includes(key) && line.includes(urn)));
}
