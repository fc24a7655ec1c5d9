import type { Clock } from './clock.js';
import type { StepContext, TaskDefinition } from './kinds.js';
import type { Direction, TaskProgress } from './records.js';
import type { Task } from './task.js';
import { idempotencyToken } from './token.js';

/** Handler that a routine runs. */
type Mode = Direction | 'cleanup';

/** Requests of a running handler to the machine. */
export interface RoutineHost {
  readonly clock: Clock;
  /** Scope and change, for tokens. */
  readonly tokenOf: { readonly scope: string; readonly change: string };
  note(task: Task, id: string): Promise<void>;
  log(task: Task, line: string): void;
  progress(task: Task, progress: TaskProgress): void;
  finish(routine: Routine, entry: unknown): Promise<void>;
}

/** Live call of a handler, and the context that the handler receives. */
export class Routine implements StepContext<unknown> {
  readonly attempt: number;
  startedMs = 0;
  #signal: AbortController | undefined;
  #asked: AbortController | undefined;
  #killed = false;
  #cancelled = false;
  #callOff: (() => void) | undefined;
  readonly #host: RoutineHost;

  constructor(
    readonly task: Task,
    readonly kind: TaskDefinition,
    readonly mode: Mode,
    /** True to call `resolve`, because the last start has no result. */
    public resolving: boolean,
    host: RoutineHost,
  ) {
    this.#host = host;
    this.attempt = task.attempts + (mode === 'cleanup' ? 0 : 1);
  }

  get payload(): unknown {
    return this.task.payload;
  }

  get token(): string {
    const { id, generation } = this.task;
    return idempotencyToken({ ...this.#host.tokenOf, task: id, direction: this.mode, generation });
  }

  get signal(): AbortSignal {
    this.#signal ??= fired(this.#cancelled);
    return this.#signal.signal;
  }

  get asked(): AbortSignal {
    this.#asked ??= fired(this.#killed);
    return this.#asked.signal;
  }

  note(id: string): Promise<void> {
    return this.#host.note(this.task, id);
  }

  log(line: string): void {
    this.#host.log(this.task, line);
  }

  progress(progress: TaskProgress): void {
    this.#host.progress(this.task, progress);
  }

  finish(entry?: unknown): Promise<void> {
    return this.#host.finish(this, entry);
  }

  /** Asks the handler to end, and aborts its signal after the grace. Further calls can only shorten the grace. */
  kill(graceMs: number): void {
    if (!this.#killed) {
      this.#killed = true;
      this.#asked?.abort();
    }
    if (graceMs <= 0) this.#cancel();
    else this.#callOff ??= this.#host.clock.after(graceMs, () => this.#cancel());
  }

  /** Called when the handler has returned. */
  over(): void {
    this.#callOff?.();
  }

  #cancel(): void {
    this.#callOff?.();
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#signal?.abort();
  }
}

function fired(already: boolean): AbortController {
  const controller = new AbortController();
  if (already) controller.abort();
  return controller;
}
