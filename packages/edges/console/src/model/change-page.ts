import { isUrn, urnName, urnType } from '@cairn/addresses';
import { STEP_KINDS, STEP_MARKS, STEP_PHRASES, isStepKind } from '@cairn/engine/words';

/** Record of a change as the service sends it. */
export type PageRecord = Readonly<Record<string, unknown>>;

/** Colour of a row. The mark and the words say the same, so that colour is never alone. */
type Tone = 'create' | 'update' | 'delete' | 'replace' | 'same' | 'failed' | 'doubt';

/** Task of a change as a row shows it. */
export interface TaskRow {
  readonly id: string;
  readonly kind: string;
  readonly urn: string | undefined;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly words: string;
  readonly mark: string;
  readonly tone: Tone;
  readonly lanes: readonly number[];
  /** Ids of the tasks that must be done first. */
  readonly waits: readonly string[];
  /** Start of the handler that runs, in milliseconds since 1970. Undefined while none runs. */
  readonly startedMs: number | undefined;
  /** Milliseconds spent in its handlers. */
  readonly ms: number;
  readonly attempts: number;
  readonly reason: string | undefined;
  readonly log: readonly string[];
  readonly progress: { readonly label: string; readonly done: number; readonly total: number } | undefined;
}

/** Numbers of tasks, each counted once. */
interface TaskTally {
  readonly total: number;
  readonly ended: number;
  readonly running: number;
  readonly failed: number;
  readonly inDoubt: number;
}

/** Page of a change: what its records say so far. */
export interface ChangePage {
  readonly tasks: readonly TaskRow[];
  readonly tally: TaskTally;
  /** Status of the whole change once it is sealed. */
  readonly sealed: string | undefined;
  /** Time of the first and of the last record, in milliseconds since 1970. */
  readonly firstMs: number | undefined;
  readonly lastMs: number | undefined;
  /** Number of the last record that counts: records after a gap wait for it. */
  readonly seq: number;
  /** Kinds of records that this page does not know. A newer Cairn wrote them. */
  readonly unknown: readonly string[];
}

interface Task {
  readonly id: string;
  readonly kind: string;
  readonly summary: string;
  readonly urn: string | undefined;
  readonly waits: readonly string[];
  readonly lanes: readonly number[];
  readonly status: string;
  readonly isUndo: boolean;
  readonly inDoubt: boolean;
  readonly startedMs: number | undefined;
  readonly ms: number;
  readonly attempts: number;
  readonly reason: string | undefined;
  readonly log: readonly string[];
  readonly progress: TaskRow['progress'];
}

const ENDED: ReadonlySet<string> = new Set(['done', 'undone', 'hold', 'error']);
/** Kinds of records that change nothing on a page. */
const SILENT: ReadonlySet<string> = new Set([
  ...['change', 'progress-id', 'lanes', 'schedule', 'data', 'claim', 'cleaned', 'entry', 'complete'],
]);
/** Lines of a task's log that a page keeps. */
const MOST_LINES = 500;

/**
 * The records of a change as a page. They may be added in any order and more than once: a record counts when all before
 * it are there, so that the page is always one that the record has had.
 */
export class ShownChangeLog {
  readonly #waiting = new Map<number, PageRecord>();
  readonly #tasks = new Map<string, Task>();
  readonly #rows = new Map<string, TaskRow>();
  readonly #unknown = new Set<string>();
  #seq = 0;
  #sealed: string | undefined;
  #firstMs: number | undefined;
  #lastMs: number | undefined;

  /** Adds records. Returns true if the page has changed. */
  add(records: readonly PageRecord[]): boolean {
    const before = this.#seq;
    for (const record of records) {
      const seq = record['seq'];
      if (typeof seq === 'number' && seq > this.#seq) this.#waiting.set(seq, record);
    }
    for (let next = this.#waiting.get(this.#seq + 1); next !== undefined;) {
      this.#seq += 1;
      this.#waiting.delete(this.#seq);
      this.#apply(next);
      next = this.#waiting.get(this.#seq + 1);
    }
    return this.#seq !== before;
  }

  page(): ChangePage {
    const tasks = [...this.#tasks.values()].map((task) => this.#row(task));
    const count = (is: (row: TaskRow) => boolean): number => tasks.filter(is).length;
    return {
      tasks,
      tally: {
        total: tasks.length,
        ended: count(({ status }) => ENDED.has(status)),
        running: count(({ startedMs }) => startedMs !== undefined),
        failed: count(({ tone }) => tone === 'failed'),
        inDoubt: count(({ tone }) => tone === 'doubt'),
      },
      ...{ sealed: this.#sealed, firstMs: this.#firstMs, lastMs: this.#lastMs, seq: this.#seq },
      unknown: [...this.#unknown],
    };
  }

  #apply(record: PageRecord): void {
    const at = Date.parse(String(record['at']));
    this.#firstMs ??= at;
    this.#lastMs = at;
    const kind = String(record['record']);
    const id = String(record['task'] ?? record['id']);
    if (kind === 'task') this.#tasks.set(id, newTask(id, record));
    else if (kind === 'seal') this.#sealed = String(record['status']);
    else if (kind === 'intent' || kind === 'outcome' || kind === 'status' || kind === 'log') {
      const task = this.#tasks.get(id);
      if (task === undefined) return;
      this.#tasks.set(id, changedTask(task, kind, record, at));
      this.#rows.delete(id);
    } else if (!SILENT.has(kind)) this.#unknown.add(kind);
  }

  /** Rows of tasks that nothing has happened to stay the same objects. */
  #row(task: Task): TaskRow {
    const row = this.#rows.get(task.id) ?? taskRow(task);
    this.#rows.set(task.id, row);
    return row;
  }
}

function newTask(id: string, { kind, summary, data, waits, lanes, status }: PageRecord): Task {
  const urn = (data as PageRecord | undefined)?.['urn'];
  return {
    ...{ id, kind: String(kind), summary: String(summary ?? ''), status: String(status ?? 'do') },
    ...{ urn: typeof urn === 'string' ? urn : undefined, isUndo: false, inDoubt: false },
    ...{ waits: textsOf(waits), lanes: Array.isArray(lanes) ? (lanes as number[]) : [] },
    ...{ startedMs: undefined, ms: 0, attempts: 0, reason: undefined, log: [], progress: undefined },
  };
}

function changedTask(
  task: Task,
  kind: 'intent' | 'outcome' | 'status' | 'log',
  record: PageRecord,
  at: number,
): Task {
  if (kind === 'log') return { ...task, log: [...task.log, ...textsOf(record['lines'])].slice(-MOST_LINES) };
  const status = String(record['status']);
  const reason = typeof record['reason'] === 'string' ? record['reason'] : undefined;
  const isUndo = record['direction'] === undefined ? task.isUndo : record['direction'] === 'undo';
  if (kind === 'intent')
    return {
      ...task,
      status,
      isUndo,
      startedMs: at,
      reason: undefined,
      inDoubt: false,
      attempts: task.attempts + 1,
    };
  if (kind === 'status') return { ...task, status, reason: reason ?? task.reason };
  const progress = record['progress'] as TaskRow['progress'];
  const ms = task.ms + (typeof record['ms'] === 'number' ? record['ms'] : 0);
  const inDoubt = record['result'] === 'unknown';
  return { ...task, status, isUndo, reason, progress, ms, inDoubt, startedMs: undefined };
}

function taskRow({ isUndo, summary, ...task }: Task): TaskRow {
  const { kind, urn, inDoubt, status } = task;
  const named = urn !== undefined && isUrn(urn);
  return {
    ...task,
    name: named ? urnName(urn) : summary,
    type: named ? urnType(urn) : '',
    mark: isStepKind(kind) ? STEP_MARKS[kind].trim() : '',
    words: inDoubt ? 'in doubt' : taskWords(kind, status, isUndo),
    tone: inDoubt ? 'doubt' : status === 'error' ? 'failed' : toneOfStep(kind),
  };
}

/** Words for an approval, by its status. */
const GATE_WORDS: Readonly<Record<string, string>> = {
  do: 'asks for an approval',
  wait: 'waits for an approval',
  done: 'approved',
};

/** Returns the words of the terminal for a task. */
function taskWords(kind: string, status: string, isUndo: boolean): string {
  if (kind === 'gate') return GATE_WORDS[status] ?? `approval: ${status}`;
  if (!isStepKind(kind)) return `${kind}: ${status}`;
  const { plan, done } = STEP_PHRASES[kind];
  const doing = STEP_KINDS[kind].presentParticiple;
  switch (status) {
    case 'done':
      return done;
    case 'undone':
      return `undone: ${done}`;
    case 'undo':
      return `undo: ${plan}`;
    case 'undoing':
      return `undoing: ${doing}`;
    case 'error':
      return isUndo ? `undoing failed: ${doing}` : `${doing} failed`;
    case 'hold':
      return `${plan}: not started`;
    case 'wait':
      return `${plan}: waiting`;
    case 'doing':
    case 'abort':
      return doing;
    default:
      return plan;
  }
}

/** Returns the tone of a kind of step. */
export function toneOfStep(kind: string): Tone {
  if (/^(?:create|import)$/.test(kind)) return 'create';
  if (/replac/.test(kind)) return 'replace';
  if (kind === 'delete' || kind === 'read-discard') return 'delete';
  return kind === 'update' || kind === 'refresh' ? 'update' : 'same';
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
