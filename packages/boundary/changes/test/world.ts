import { ChangeLog } from '../src/change-log.js';
import { Change } from '../src/change.js';
import { FakeClock } from '../src/clock.js';
import type { CallOutcome, TaskDefinition } from '../src/kinds.js';
import { BARE } from '../src/policies.js';
import type { ChangePolicies } from '../src/policies.js';
import type { BlockedPredicate } from '../src/runner-ports.js';
import { Runner } from '../src/runner.js';
import type { Status, WaitedStatus } from '../src/status.js';
import { memoryStore } from '../src/store.js';
import type { Task } from '../src/task.js';
import { ChangeWriter } from '../src/writer.js';

/** Behaviour of a handler: words in order. `block` parks until it is asked to end; the last word is its answer. */
export type Behaviour = readonly (
  'block' | 'finish' | 'fail' | 'retry' | 'retry-once' | `wait:${WaitedStatus}`
)[];

/** Change of the scenarios: tasks by name, edges `a>b` meaning "b waits for a". */
export interface Graph {
  readonly tasks: string;
  readonly edges?: string;
  readonly noUndo?: readonly string[];
  readonly lanes?: Readonly<Record<string, readonly number[]>>;
  readonly initial?: Readonly<Record<string, Status>>;
  readonly waited?: Readonly<Record<string, WaitedStatus>>;
  /** Behaviours by `A1.do` or `A1.undo`; other handlers succeed. */
  readonly handlers?: Readonly<Record<string, Behaviour>>;
}

/** Bare machine with a recording driver: the test runs the passes. */
export class World {
  readonly clock = new FakeClock();
  readonly store = memoryStore();
  readonly events: string[] = [];
  readonly requests: number[] = [];
  readonly failures: { task: string; error: unknown }[] = [];
  readonly kinds = new Map<string, TaskDefinition>();
  readonly change: Change;
  readonly writer: ChangeWriter;
  readonly runner: Runner;
  readonly #names = new Map<string, Task>();

  constructor(
    graph: Graph,
    blocked: readonly BlockedPredicate[] = [],
    policies: Partial<ChangePolicies> = {},
  ) {
    const log = new ChangeLog(this.store, this.clock, { seq: 0, tx: 0 }, (cause) => {
      throw cause;
    });
    const opened = { record: 'change', id: '7', kind: 'up', summary: 'test', scope: 's' } as const;
    const at = log.now();
    log.add(opened, at, true);
    this.change = new Change(opened, at).live();
    this.writer = new ChangeWriter(this.change, log);
    const names = graph.tasks.split(' ').filter((name) => name !== '');
    for (const [index, name] of names.entries()) this.#add(name, String(index + 1), graph, names);
    this.runner = new Runner({
      writer: this.writer,
      clock: this.clock,
      kindOf: (kind) => this.kinds.get(kind),
      policies: { ...BARE, ...policies },
      parallelism: Infinity,
      blocked,
      ensureBefore: (ms) => this.requests.push(ms),
      listener: {
        status: () => undefined,
        outcome: () => undefined,
        failed: (task, error) => this.failures.push({ task: task.kind, error }),
        log: () => undefined,
        progress: () => undefined,
        warning: () => undefined,
        moved: () => undefined,
        broken: (error) => {
          throw error;
        },
      },
    });
  }

  task(name: string): Task {
    const task = this.#names.get(name);
    if (task === undefined) throw new Error(`no task ${name}`);
    return task;
  }

  /** Runs one Ensure, then waits for the handlers it started. */
  async pass(): Promise<void> {
    this.requests.length = 0;
    this.runner.ensure();
    await this.handlers();
  }

  /** Waits until no handler runs. */
  async handlers(): Promise<void> {
    for (let turn = 0; this.runner.running.size > 0; turn += 1) {
      if (turn > 1000)
        throw new Error(
          `handlers never return: ${[...this.runner.running].map((task) => task.kind).join(' ')}`,
        );
      await turnOfLoop();
    }
  }

  async turns(count = 5): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) await turnOfLoop();
  }

  /** Runs passes while an immediate one is requested and the change is not ready, at most 20. */
  async untilReady(): Promise<void> {
    for (let passes = 0; passes < 20; passes += 1) {
      await this.pass();
      if (this.change.isReady || !this.requests.includes(0)) return;
    }
  }

  statuses(): Record<string, Status> {
    return Object.fromEntries([...this.#names].map(([name, task]) => [name, task.status]));
  }

  set(name: string, status: Status): void {
    this.writer.commit({ record: 'status', task: this.task(name).id, status });
  }

  #add(name: string, id: string, graph: Graph, names: readonly string[]): void {
    const waits = edgesInto(graph.edges ?? '', name).map((other) => String(names.indexOf(other) + 1));
    const status = graph.initial?.[name];
    const waited = graph.waited?.[name] ?? (status === 'wait' ? ('done' as const) : undefined);
    this.writer.commit({
      record: 'task',
      id,
      kind: name,
      summary: name,
      waits,
      ...(graph.lanes?.[name] !== undefined && { lanes: graph.lanes[name] }),
      ...(status !== undefined && { status }),
      ...(waited !== undefined && { waited }),
    });
    this.#names.set(name, this.change.task(id));
    const undoable = graph.noUndo?.includes(name) !== true;
    this.kinds.set(name, {
      do: this.#handler(`${name}.do`, graph.handlers?.[`${name}.do`] ?? []),
      ...(undoable && { undo: this.#handler(`${name}.undo`, graph.handlers?.[`${name}.undo`] ?? []) }),
    });
  }

  #handler(label: string, behaviour: Behaviour): TaskDefinition['do'] {
    let calls = 0;
    return async (context): Promise<CallOutcome> => {
      calls += 1;
      this.events.push(label);
      for (const word of behaviour) {
        if (word === 'block') {
          this.events.push(`${label}!block`);
          await aborted(context.asked);
          this.events.push(`${label}!wake`);
        } else if (word === 'finish') void context.finish();
        else if (word === 'fail') {
          this.events.push(`${label}!fail`);
          throw new Error(`${label} failed`);
        } else if (word === 'retry' || (word === 'retry-once' && calls === 1)) {
          this.events.push(`${label}!retry`);
          return { t: 'retry' };
        } else if (word.startsWith('wait:')) {
          this.events.push(`${label}!wait`);
          return { t: 'wait', then: word.slice(5) as 'done', reason: 'told to' };
        }
      }
      return { t: 'ok' };
    };
  }
}

function edgesInto(edges: string, name: string): string[] {
  return edges
    .split(' ')
    .filter((edge) => edge.endsWith(`>${name}`))
    .map((edge) => edge.slice(0, edge.indexOf('>')));
}

function turnOfLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Parses `A1=done B=hold` to an object. */
export function statusesOf(text: string): Record<string, Status> {
  return Object.fromEntries(
    text.split(' ').map((pair) => {
      const [name, status] = pair.split('=');
      return [name as string, status as Status];
    }),
  );
}
