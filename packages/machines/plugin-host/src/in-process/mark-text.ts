import type { ErrorCode } from '@cairn/diagnostics';

/**
 * Text of a file of marks: its writer, the message in case the writer dies, one line of fixed width for each call that
 * is under way, a hint.
 */

/** Number of calls that can be noted at the same time. Further calls are not noted. */
export const SLOTS = 32;
/** Bytes of the line of a call, with its end. */
export const WIDTH = 400;

/** Process that writes the marks. */
export interface MarkWriter {
  readonly pid: number;
  readonly host: string;
}

/** Call of a provider in the writer's process. */
export interface MarkedCall {
  /** The provider's package, as `name@version`. */
  readonly provider: string;
  /** The call, such as `create of URN`. */
  readonly call: string;
}

/** Content of a file of marks. */
interface Marks {
  readonly writer: MarkWriter;
  readonly calls: readonly MarkedCall[];
}

/** Returns the text of a new file, and the number of bytes before the first line of a call. */
export function newMarks(writer: MarkWriter): { readonly text: string; readonly firstCall: number } {
  const head = `${JSON.stringify(writer)}\n${HEADING}\n`;
  const slots = `${' '.repeat(WIDTH - 1)}\n`.repeat(SLOTS);
  return { text: `${head}${slots}${HINT}\n`, firstCall: Buffer.byteLength(head) };
}

const CODE: ErrorCode = 'CAIRN-PROVIDER-CRASHED';
const HEADING = `error[${CODE}]: a signal ended the command while a provider worked in its process`;
const HINT =
  '  hint: Run `cairn resume` if the command was changing something, else run it again; the provider then runs in its own process.';

/** Line of a free slot. */
export const FREE_LINE: Uint8Array = Buffer.from(`${' '.repeat(WIDTH - 1)}\n`);

const line = Buffer.alloc(WIDTH);

/** Returns the line of a call, cut to its width. It is valid until the next call of this function. */
export function callLine({ provider, call }: MarkedCall): Buffer {
  line.set(FREE_LINE);
  line.write(printable(`  ${provider}: ${call}`), 0, WIDTH - 1, 'latin1');
  return line;
}

/** Reads a file of marks. Returns undefined if it is none. */
export function readMarks(text: string): Marks | undefined {
  const [head = '', , ...lines] = text.split('\n');
  const writer = writerOf(head);
  if (writer === undefined) return undefined;
  const calls = lines.slice(0, SLOTS).flatMap((line) => {
    const [, provider, call] = /^ {2}(\S+): (.*)$/.exec(line.trimEnd()) ?? [];
    return provider === undefined || call === undefined ? [] : [{ provider, call }];
  });
  return { writer, calls };
}

function writerOf(line: string): MarkWriter | undefined {
  try {
    const { pid, host } = JSON.parse(line) as Partial<MarkWriter>;
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns one byte for each character, none of which moves the cursor. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/gu, '?');
