import { isUrn, urnName, urnType } from '@cairn/addresses';
import { STEP_KINDS, STEP_MARKS, STEP_PHRASES, isStepKind } from '@cairn/engine/words';

/** Record of a change as the service sends it. */
export type PageRecord = Readonly<Record<string, unknown>>;

/** Colour of a row. The mark and the words say the same, so that colour is never alone. */
type Tone = 'create' | 'update' | 'delete' | 'replace' | 'same' | 'failed' | 'doubt';

/** Progress that a handler has reported. */
interface Progress {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}

/** Task of a change as a row shows it. */
export type TaskRow = Pick<ShownTask, keyof ShownTask>;

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

/** Task as its records have left it. */
interface Task {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly type: string;
  readonly urn: string | undefined;
  readonly mark: string;
  /** Tone of its step while nothing is wrong. */
  readonly stepTone: Tone;
  readonly waits: readonly string[];
  readonly lanes: readonly number[];
  status: string;
  isUndo: boolean;
  inDoubt: boolean;
  startedMs: number | undefined;
  ms: number;
  attempts: number;
  reason: string | undefined;
  log: readonly string[];
  progress: Progress | undefined;
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
  /** Rows in the order of their tasks, and the place of each. */
  readonly #rows: TaskRow[] = [];
  readonly #places = new Map<string, number>();
  /** Tasks whose rows are older than they are. */
  readonly #changed = new Set<string>();
  readonly #tally = { ended: 0, running: 0, failed: 0, inDoubt: 0 };
  readonly #unknown = new Set<string>();
  #seq = 0;
  #sealed: string | undefined;
  #firstAt: unknown;
  #lastAt: unknown;

  /** Adds records. Returns true if the page has changed. */
  add(records: readonly PageRecord[]): boolean {
    const before = this.#seq;
    for (const record of records) {
      const seq = record['seq'];
      if (typeof seq !== 'number' || seq <= this.#seq) continue;
      if (seq === this.#seq + 1) this.#take(record);
      else this.#waiting.set(seq, record);
      if (this.#waiting.size > 0) this.#takeWaiting();
    }
    return this.#seq !== before;
  }

  #takeWaiting(): void {
    for (let next = this.#waiting.get(this.#seq + 1); next !== undefined;) {
      this.#waiting.delete(this.#seq + 1);
      this.#take(next);
      next = this.#waiting.get(this.#seq + 1);
    }
  }

  #take(record: PageRecord): void {
    this.#seq += 1;
    this.#apply(record);
  }

  /** Returns the page. It costs as much as the tasks that records have changed since the last call, and a copy. */
  page(): ChangePage {
    for (const id of this.#changed) this.#replaceRow(id);
    this.#changed.clear();
    return {
      tasks: this.#rows.slice(),
      tally: { total: this.#rows.length, ...this.#tally },
      ...{ sealed: this.#sealed, seq: this.#seq, unknown: [...this.#unknown] },
      ...{ firstMs: timeOf(this.#firstAt), lastMs: timeOf(this.#lastAt) },
    };
  }

  #apply(record: PageRecord): void {
    this.#firstAt ??= record['at'];
    this.#lastAt = record['at'];
    const kind = String(record['record']);
    const id = String(record['task'] ?? record['id']);
    if (kind === 'task') {
      this.#tasks.set(id, newTask(id, record));
      this.#changed.add(id);
    } else if (kind === 'seal') this.#sealed = String(record['status']);
    else if (kind === 'intent' || kind === 'outcome' || kind === 'status' || kind === 'log') {
      const task = this.#tasks.get(id);
      if (task === undefined) return;
      changeTask(task, kind, record);
      this.#changed.add(id);
    } else if (!SILENT.has(kind)) this.#unknown.add(kind);
  }

  /** Rows of tasks that nothing has happened to stay the same objects. */
  #replaceRow(id: string): void {
    const place = this.#places.get(id) ?? this.#rows.length;
    const before = this.#rows[place];
    const row = new ShownTask(this.#tasks.get(id) as Task);
    this.#places.set(id, place);
    this.#rows[place] = row;
    if (before !== undefined) this.#count(before, -1);
    this.#count(row, 1);
  }

  #count({ status, startedMs, tone }: TaskRow, by: 1 | -1): void {
    if (ENDED.has(status)) this.#tally.ended += by;
    if (startedMs !== undefined) this.#tally.running += by;
    if (tone === 'failed') this.#tally.failed += by;
    if (tone === 'doubt') this.#tally.inDoubt += by;
  }
}

/** Returns the time of a record in milliseconds since 1970, or undefined before the first one. */
function timeOf(at: unknown): number | undefined {
  return at === undefined ? undefined : Date.parse(String(at));
}

function newTask(id: string, { kind, summary, data, waits, lanes, status }: PageRecord): Task {
  const about = (data as PageRecord | undefined)?.['urn'];
  const urn = typeof about === 'string' ? about : undefined;
  const isNamed = urn !== undefined && isUrn(urn);
  const step = String(kind);
  // One literal: 100,000 events make as many objects.
  return {
    id,
    kind: step,
    mark: isStepKind(step) ? STEP_MARKS[step].trim() : '',
    stepTone: toneOfStep(step),
    name: isNamed ? urnName(urn) : String(summary ?? ''),
    type: isNamed ? urnType(urn) : '',
    urn,
    waits: textsOf(waits),
    lanes: Array.isArray(lanes) ? (lanes as number[]) : [],
    status: String(status ?? 'do'),
    isUndo: false,
    inDoubt: false,
    startedMs: undefined,
    ms: 0,
    attempts: 0,
    reason: undefined,
    log: [],
    progress: undefined,
  };
}

function changeTask(task: Task, kind: 'intent' | 'outcome' | 'status' | 'log', record: PageRecord): void {
  if (kind === 'log') {
    task.log = task.log.concat(textsOf(record['lines']));
    if (task.log.length > MOST_LINES) task.log = task.log.slice(-MOST_LINES);
    return;
  }
  const reason = typeof record['reason'] === 'string' ? record['reason'] : undefined;
  task.status = String(record['status']);
  if (kind === 'status') {
    task.reason = reason ?? task.reason;
    return;
  }
  if (record['direction'] !== undefined) task.isUndo = record['direction'] === 'undo';
  task.reason = reason;
  task.inDoubt = kind === 'outcome' && record['result'] === 'unknown';
  if (kind === 'intent') {
    task.startedMs = timeOf(record['at']);
    task.attempts += 1;
    return;
  }
  task.progress = record['progress'] as Progress | undefined;
  if (typeof record['ms'] === 'number') task.ms += record['ms'];
  task.startedMs = undefined;
}

/** Row of a task as it was. Its words are made when they are read: few rows are seen of those that change. */
class ShownTask {
  readonly id: string;
  readonly kind: string;
  readonly urn: string | undefined;
  readonly name: string;
  readonly type: string;
  readonly status: string;
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
  readonly progress: Progress | undefined;
  readonly mark: string;
  readonly tone: Tone;
  readonly #isUndo: boolean;

  constructor(task: Task) {
    this.id = task.id;
    this.kind = task.kind;
    this.urn = task.urn;
    this.name = task.name;
    this.type = task.type;
    this.status = task.status;
    this.lanes = task.lanes;
    this.waits = task.waits;
    this.startedMs = task.startedMs;
    this.ms = task.ms;
    this.attempts = task.attempts;
    this.reason = task.reason;
    this.log = task.log;
    this.progress = task.progress;
    this.mark = task.mark;
    this.tone = task.inDoubt ? 'doubt' : task.status === 'error' ? 'failed' : task.stepTone;
    this.#isUndo = task.isUndo;
  }

  get words(): string {
    return this.tone === 'doubt' ? 'in doubt' : taskWords(this.kind, this.status, this.#isUndo);
  }
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
