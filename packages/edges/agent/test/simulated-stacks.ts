import type { FakeClock } from '@cairn/changes';
import type { PlannedStep, PolicyStepKind, RunRow } from '@cairn/changes-daemon';
import type { AgentStack } from '../src/config/agent-config.js';
import type {
  DriftResult,
  OperationState,
  PlanResult,
  SourceHead,
  StackWork,
  WorkResult,
} from '../src/stack-work.js';

/** Draws from a seed: the same numbers for the same seed. */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

/** Record of an operation of a run, as the journal of its stack has it. */
interface Operation {
  readonly run: string;
  state: 'running' | 'unfinished' | 'asks' | 'succeeded' | 'failed' | 'rolled-back';
  /** Time at which a person answers. */
  answerAt: number;
}

/** A stack with its real objects, its state and its repository. */
export interface SimulatedStack {
  commit: number;
  /** Version of the state. */
  version: number;
  /** Commit that the objects have. */
  deployed: number;
  driftedAt: number | undefined;
  readonly operations: Operation[];
  /** Steps that a commit needs. */
  readonly steps: Map<number, readonly PlannedStep[]>;
  /** Calls that run at present. */
  active: number;
}

const KINDS: readonly PolicyStepKind[] = [
  'create',
  'create',
  'update',
  'update',
  'update',
  'delete',
  'replace',
  'import',
];

/** Stacks of a simulated world, and the rules that no agent may break. */
export class SimulatedWorld {
  readonly stacks = new Map<string, SimulatedStack>();
  readonly violations: string[] = [];
  /** Effects by run. */
  readonly effects = new Map<string, number>();
  /** Runs whose process waits for an answer about its plan. */
  readonly asking = new Set<string>();
  readonly draw: Draw;
  readonly clock: FakeClock;

  constructor(names: readonly string[], draw: Draw, clock: FakeClock) {
    this.draw = draw;
    this.clock = clock;
    for (const name of names)
      this.stacks.set(name, {
        commit: 1,
        version: 0,
        deployed: 0,
        driftedAt: undefined,
        operations: [],
        steps: new Map(),
        active: 0,
      });
  }

  stack(name: string): SimulatedStack {
    return this.stacks.get(name) as SimulatedStack;
  }

  stepsOf(name: string): readonly PlannedStep[] {
    const stack = this.stack(name);
    if (stack.deployed === stack.commit && stack.driftedAt === undefined) return [];
    const known = stack.steps.get(stack.commit);
    if (known !== undefined) return known;
    const steps = Array.from({ length: 1 + this.draw.below(4) }, (_, at) => ({
      urn: `urn:pulumi:${name}::shop::aws:s3/bucket:Bucket::b${at}`,
      type: this.draw.chance(0.1) ? 'aws:iam/user:User' : 'aws:s3/bucket:Bucket',
      kind: this.draw.one(KINDS),
    }));
    stack.steps.set(stack.commit, steps);
    return steps;
  }

  /** Ends the processes of an agent that was killed. */
  killProcesses(): void {
    this.asking.clear();
    for (const stack of this.stacks.values()) {
      stack.active = 0;
      for (const operation of stack.operations) if (operation.state === 'running') this.#interrupt(operation);
    }
  }

  /** Has persons answer the questions that are due. */
  answer(): void {
    for (const { operations } of this.stacks.values())
      for (const operation of operations)
        if (operation.state === 'asks' && operation.answerAt <= this.clock.now().getTime())
          operation.state = 'unfinished';
  }

  #interrupt(operation: Operation): void {
    operation.state = this.draw.chance(0.2) ? 'asks' : 'unfinished';
    operation.answerAt = this.clock.now().getTime() + this.draw.below(2 * 3_600_000);
  }

  /** Returns the work of one process of the agent; after its kill, `isDead` is true and no call returns. */
  workFor(isDead: () => boolean): StackWork {
    return new SimulatedWork(this, isDead);
  }
}

class SimulatedWork implements StackWork {
  readonly #world: SimulatedWorld;
  readonly #isDead: () => boolean;

  constructor(world: SimulatedWorld, isDead: () => boolean) {
    this.#world = world;
    this.#isDead = isDead;
  }

  async head({ name }: AgentStack): Promise<SourceHead> {
    await this.#time(2_000);
    if (this.#world.draw.chance(0.02)) throw new Error('the repository does not answer');
    const { commit } = this.#world.stack(name);
    return { commit: String(commit), tree: `tree ${commit}` };
  }

  async plan(stack: AgentStack, run: RunRow, answers = false): Promise<PlanResult> {
    const result = await this.#plan(stack, run);
    const asks = answers && run.kind === 'up' && this.#world.draw.chance(0.5);
    if (result.t !== 'planned' || !asks) return result;
    this.#world.asking.add(run.id);
    const answered = (): boolean => this.#world.asking.delete(run.id);
    const end = async (): Promise<void> => {
      await this.#time(1_000);
      answered();
    };
    const follow = (applying: RunRow): Promise<WorkResult> => {
      answered();
      return this.apply(stack, applying);
    };
    return { ...result, asking: { follow, end } };
  }

  #plan({ name }: AgentStack, run: RunRow): Promise<PlanResult> {
    return this.#during(name, async () => {
      await this.#time(30_000);
      if (this.#world.draw.chance(0.03)) return { t: 'failed', why: 'the program failed' };
      const { commit, version } = this.#world.stack(name);
      const steps = run.kind === 'up' || run.kind === 'preview' ? this.#world.stepsOf(name) : [];
      const made = { digest: `plan ${run.id}`, base: `v${version}`, commit: String(commit) };
      return { t: 'planned', steps, ...made, changesNothing: run.kind === 'up' && steps.length === 0 };
    });
  }

  async apply({ name }: AgentStack, run: RunRow): Promise<WorkResult> {
    return this.#during(name, async () => {
      const { draw, violations } = this.#world;
      const stack = this.#world.stack(name);
      await this.#time(1_000);
      this.#checkAllowed(run);
      if (run.base !== `v${stack.version}`) return { t: 'moved', why: 'the state has moved' };
      if (run.commit !== String(stack.commit)) return { t: 'moved', why: 'the commit has moved' };
      if (stack.operations.some((operation) => operation.run === run.id))
        violations.push(`run ${run.id} was applied twice`);
      if (
        stack.operations.some(
          ({ state }) => state === 'running' || state === 'unfinished' || state === 'asks',
        )
      )
        violations.push(`run ${run.id} was applied beside an unfinished operation of ${name}`);
      const operation: Operation = { run: run.id, state: 'running', answerAt: 0 };
      stack.operations.push(operation);
      await this.#time(120_000);
      if (draw.chance(0.05)) {
        operation.state = 'failed';
        stack.version += 1;
        return { t: 'failed', why: 'a provider failed' };
      }
      this.#finish(name, operation, run, 'succeeded');
      return { t: 'done' };
    });
  }

  async look({ name }: AgentStack, run: RunRow): Promise<OperationState> {
    await this.#time(1_000);
    if (this.#world.draw.chance(0.05)) return 'unknown';
    return this.#world.stack(name).operations.find((operation) => operation.run === run.id)?.state ?? 'none';
  }

  async recover({ name }: AgentStack, run: RunRow, how: 'resume' | 'rollback'): Promise<WorkResult> {
    return this.#during(name, async () => {
      const operation = this.#world.stack(name).operations.find((each) => each.run === run.id);
      if (operation?.state !== 'unfinished') {
        this.#world.violations.push(
          `run ${run.id} was continued while its operation is ${operation?.state ?? 'missing'}`,
        );
        return { t: 'failed', why: 'nothing to continue' };
      }
      operation.state = 'running';
      await this.#time(60_000);
      this.#finish(name, operation, run, how === 'resume' ? 'succeeded' : 'rolled-back');
      return { t: 'done' };
    });
  }

  async drift({ name }: AgentStack): Promise<DriftResult> {
    return this.#during(name, async () => {
      await this.#time(20_000);
      if (this.#world.stack(name).driftedAt === undefined) return { t: 'looked', resources: [] };
      const urn = `urn:pulumi:${name}::shop::aws:s3/bucket:Bucket::b0`;
      return {
        t: 'looked',
        resources: [{ urn, type: 'aws:s3/bucket:Bucket', kind: 'update', keys: ['tags'] }],
      };
    });
  }

  remove(): Promise<WorkResult> {
    return Promise.resolve({ t: 'done' });
  }

  forget(): Promise<void> {
    return Promise.resolve();
  }

  #finish(name: string, operation: Operation, run: RunRow, state: 'succeeded' | 'rolled-back'): void {
    const stack = this.#world.stack(name);
    operation.state = state;
    stack.version += 1;
    if (state === 'rolled-back' || run.kind !== 'up') return;
    stack.deployed = Number(run.commit);
    stack.driftedAt = undefined;
    this.#world.effects.set(run.id, (this.#world.effects.get(run.id) ?? 0) + 1);
  }

  #checkAllowed(run: RunRow): void {
    const { violations } = this.#world;
    const steps = run.steps ?? [];
    if (steps.some(({ type }) => type.startsWith('aws:iam')))
      violations.push(`run ${run.id} applied refused steps`);
    const alone = steps.every(({ kind }) => kind === 'create' || kind === 'update');
    const approved = run.approvals.filter(({ digest, base }) => digest === run.digest && base === run.base);
    if (!alone && new Set(approved.map(({ by }) => by)).size < run.needed)
      violations.push(`run ${run.id} was applied without approvals`);
  }

  async #during<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#isDead()) await new Promise(() => undefined);
    const stack = this.#world.stack(name);
    stack.active += 1;
    if (stack.active > 1) this.#world.violations.push(`two runs of ${name} at a time`);
    const result = await work();
    stack.active -= 1;
    return result;
  }

  /** Takes a random time. Never returns after a kill. */
  async #time(mostMs: number): Promise<void> {
    await new Promise<void>((resolve) =>
      this.#world.clock.after(1 + this.#world.draw.below(mostMs), resolve),
    );
    if (this.#isDead()) await new Promise(() => undefined);
  }
}
