import { createHash } from 'node:crypto';
import * as v from 'valibot';

/** Characters of a piece of a plan or a result in one line: a line has a limit where logs are kept and read. */
const PIECE = 8 * 1024;
/** Characters of a plan, and of a result, that are taken from a pod. */
const MOST = 64 * 1024 * 1024;

const Numbered = { n: v.pipe(v.number(), v.integer(), v.minValue(1)) };
const WorkLine = v.union([
  v.strictObject({ ...Numbered, part: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}$/)), line: v.string() }),
  v.strictObject({ ...Numbered, plan: v.string() }),
  v.strictObject({ ...Numbered, piece: v.string() }),
  v.strictObject({ ...Numbered, pieces: v.string(), sha256: v.optional(v.string()) }),
  v.strictObject({ ...Numbered, result: v.unknown(), sha256: v.optional(v.string()) }),
]);

type WorkLine = v.InferOutput<typeof WorkLine>;

/** Writes what happens in a pod as lines of its log, each with its number. */
export class WorkWriter {
  readonly #write: (text: string) => void;
  #n = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Writes a line of the log of a part of the run. */
  line(part: string, line: string): void {
    this.#put({ part, line });
  }

  /** Writes the result, after the plan if there is one. A long result is in pieces. The last line is its end. */
  result(result: unknown, plan?: string): void {
    const planned = plan === undefined ? {} : { sha256: this.#pieces('plan', plan) };
    const text = JSON.stringify(result);
    if (text.length <= PIECE) this.#put({ result, ...planned });
    else this.#put({ pieces: this.#pieces('piece', text), ...planned });
  }

  /** Writes a text in pieces. Returns its digest. */
  #pieces(member: 'plan' | 'piece', text: string): string {
    for (let at = 0; at < text.length; at += PIECE) this.#put({ [member]: text.slice(at, at + PIECE) });
    return digestOf(text);
  }

  #put(members: object): void {
    this.#n += 1;
    this.#write(`${JSON.stringify({ n: this.#n, ...members })}\n`);
  }
}

/** Result of a pod. */
interface PodResult {
  readonly value: unknown;
  /** Undefined if there is none, or if a piece of it is missing. */
  readonly plan: string | undefined;
}

/** Reads the lines of a pod's log. Lines that come again, because the log was read again, are ignored. */
export class WorkReader {
  readonly #show: (part: string, line: string) => void;
  #last = 0;
  #plan = '';
  #text = '';
  #result: PodResult | undefined;

  /** `show` gets the lines of logs. Other text of the pod has the part `pod`. */
  constructor(show: (part: string, line: string) => void) {
    this.#show = show;
  }

  get result(): PodResult | undefined {
    return this.#result;
  }

  /** Reads a line. Returns false if it came before. */
  read(text: string): boolean {
    const line = workLineIn(text);
    if (line === undefined) {
      this.#show('pod', text);
      return true;
    }
    if (line.n <= this.#last || this.#result !== undefined) return false;
    if (line.n > this.#last + 1) this.#show('pod', 'Some lines of the log of the pod are missing.');
    this.#last = line.n;
    if ('line' in line) this.#show(line.part, line.line);
    else if ('plan' in line) this.#plan = (this.#plan + line.plan).slice(0, MOST);
    else if ('piece' in line) this.#text = (this.#text + line.piece).slice(0, MOST);
    else {
      const value = 'pieces' in line ? valueOf(this.#text, line.pieces) : line.result;
      this.#result = { value, plan: digestOf(this.#plan) === line.sha256 ? this.#plan : undefined };
    }
    return true;
  }
}

function workLineIn(text: string): WorkLine | undefined {
  if (!text.startsWith('{"n":')) return undefined;
  try {
    const read = v.safeParse(WorkLine, JSON.parse(text));
    return read.success ? read.output : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value of a JSON text. Undefined if it has another digest. */
function valueOf(text: string, digest: string): unknown {
  return digestOf(text) === digest ? (JSON.parse(text) as unknown) : undefined;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
