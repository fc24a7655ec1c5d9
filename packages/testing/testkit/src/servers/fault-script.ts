/** One request as a server saw it. `target` contains path and query as sent. */
export interface SeenRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bodySize: number;
  /** The fault applied to it, if any. */
  readonly fault?: ServerFault;
}

/**
 * Selects the requests of a fault: text or pattern found in `METHOD target`, or a predicate. Without it, any request.
 */
type FaultMatch = string | RegExp | ((request: SeenRequest) => boolean);

/**
 * A fault that is applied once. `delay` is the time to wait first, in milliseconds. `hangUp` closes the connection
 * without an answer, `before` the request has had an effect or `after` it. `status`, `headers` and `body` replace the
 * true answer, and the request has no effect. `truncate` closes the connection after that many bytes of the true
 * answer's body.
 */
export interface ServerFault {
  readonly match?: FaultMatch;
  readonly delay?: number;
  readonly hangUp?: 'before' | 'after';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly truncate?: number;
}

/** Pending faults, in order. Each is applied once, to the first request that matches it. */
export class FaultScript {
  #waiting: ServerFault[] = [];

  /** Faults that were not applied yet. */
  get pending(): readonly ServerFault[] {
    return this.#waiting;
  }

  /** Adds faults, which are applied in this order to the requests that they match. */
  next(...faults: readonly ServerFault[]): void {
    this.#waiting.push(...faults);
  }

  /** Adds the same fault for the next `times` requests that match it. */
  repeat(times: number, fault: ServerFault): void {
    for (let i = 0; i < times; i++) this.#waiting.push(fault);
  }

  /** Forgets the pending faults. */
  clear(): void {
    this.#waiting = [];
  }

  /** Takes the first fault for a request. Called by servers only. */
  take(request: SeenRequest): ServerFault | undefined {
    const index = this.#waiting.findIndex((fault) => matches(fault.match, request));
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }
}

function matches(match: FaultMatch | undefined, request: SeenRequest): boolean {
  if (match === undefined) return true;
  if (typeof match === 'function') return match(request);
  const line = `${request.method} ${request.target}`;
  return typeof match === 'string' ? line.includes(match) : match.test(line);
}
