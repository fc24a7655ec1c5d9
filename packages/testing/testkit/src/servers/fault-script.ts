/** One request as a server saw it. `target`: path and query as sent. */
export interface SeenRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bodySize: number;
  /** The fault that was played on it, if any. */
  readonly fault?: ServerFault;
}

/** Which requests a fault is for: text or pattern found in `METHOD target`, or a question. Without it: any request. */
type FaultMatch = string | RegExp | ((request: SeenRequest) => boolean);

/**
 * What goes wrong once. `delay`: milliseconds to wait first. `hangUp`: the connection is cut without an answer,
 * `before` the request has had an effect or `after` it. `status`, `headers`, `body`: this answer instead of the true
 * one, and no effect. `truncate`: the connection is cut after that many bytes of the true answer's body.
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

/** Faults still to come, in order. Each is played once, on the first request that matches it. */
export class FaultScript {
  private waiting: ServerFault[] = [];

  /** Faults not played yet. */
  get pending(): readonly ServerFault[] {
    return this.waiting;
  }

  /** Adds faults, to be played in this order on the requests they match. */
  next(...faults: readonly ServerFault[]): void {
    this.waiting.push(...faults);
  }

  /** The same fault for the next `times` requests that match it. */
  repeat(times: number, fault: ServerFault): void {
    for (let i = 0; i < times; i++) this.waiting.push(fault);
  }

  /** Forgets what was not played. */
  clear(): void {
    this.waiting = [];
  }

  /** Takes the first fault meant for a request. Called by servers only. */
  take(request: SeenRequest): ServerFault | undefined {
    const index = this.waiting.findIndex((fault) => matches(fault.match, request));
    return index < 0 ? undefined : this.waiting.splice(index, 1)[0];
  }
}

function matches(match: FaultMatch | undefined, request: SeenRequest): boolean {
  if (match === undefined) return true;
  if (typeof match === 'function') return match(request);
  const line = `${request.method} ${request.target}`;
  return typeof match === 'string' ? line.includes(match) : match.test(line);
}
