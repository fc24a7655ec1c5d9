/** Makes the text of a stack trace, as `Error.prepareStackTrace`. */
export type PrepareStackTrace = (error: Error, frames: NodeJS.CallSite[]) => unknown;

/** Largest number of lines that are remembered. */
const MOST_LINES = 20_000;

/** Start of the line of a frame. */
const LINE = '\n    at ';

/**
 * Returns a function that makes the same texts as `prepare`, which it calls once for each line. A program records the
 * same few frames for each of its resources. Reading source maps for them costs more than everything else that it does.
 *
 * `prepare` is the function of `source-map-support`. It returns a heading, then for each frame a line that starts with
 * `LINE` and depends on the frame and its callers up to the next one with a file. Any other text is returned unchanged.
 */
export function rememberLines(prepare: PrepareStackTrace): PrepareStackTrace {
  const lines = new Map<string, string>();
  return (error, frames) => {
    const heading = prepare(error, []);
    if (typeof heading !== 'string') return prepare(error, frames);
    const keys = frames.map(keyOf);
    let text = heading;
    for (let index = 0; index < frames.length; index += 1) {
      const end = endOfContext(keys, index);
      const key = contextKey(keys, index, end);
      let line = key === undefined ? undefined : lines.get(key);
      if (line === undefined) {
        line = firstLine(prepare(error, frames.slice(index, end)), heading, end - index);
        if (line === undefined) return prepare(error, frames);
        if (lines.size >= MOST_LINES) lines.clear();
        if (key !== undefined) lines.set(key, line);
      }
      text += line;
    }
    return text;
  };
}

/** Returns the line of the first of some frames, or undefined if the text does not have one line for each. */
function firstLine(text: unknown, heading: string, count: number): string | undefined {
  if (typeof text !== 'string' || !text.startsWith(heading)) return undefined;
  const parts = text.slice(heading.length).split(LINE);
  return parts.length === count + 1 && parts[0] === '' ? `${LINE}${parts[1] as string}` : undefined;
}

/** Everything that determines the line of a frame. `text` is undefined for code that was made from text. */
interface FrameKey {
  readonly text: string | undefined;
  readonly hasFile: boolean;
}

function keyOf(frame: NodeJS.CallSite): FrameKey {
  const file = frame.isNative() ? undefined : frame.getFileName();
  const hasFile = typeof file === 'string' && file !== '';
  if (frame.isEval()) return { text: undefined, hasFile };
  if (!hasFile) return { text: String(frame), hasFile };
  const place = `${file}:${frame.getLineNumber()}:${frame.getColumnNumber()}:${frame.getFunctionName()}`;
  if (frame.isConstructor()) return { text: `new ${place}`, hasFile };
  if (frame.isToplevel()) return { text: place, hasFile };
  return { text: `${frame.getTypeName()}.${frame.getMethodName()} ${place}`, hasFile };
}

/**
 * Returns the end of the frames that may determine a line. The name of a function may come from the source map of the
 * caller. Frames without a file have none.
 */
function endOfContext(keys: readonly FrameKey[], index: number): number {
  let end = index + 1;
  while (end < keys.length && keys[end]?.hasFile === false) end += 1;
  return Math.min(end + 1, keys.length);
}

function contextKey(keys: readonly FrameKey[], start: number, end: number): string | undefined {
  let joined = '';
  for (let index = start; index < end; index += 1) {
    const text = keys[index]?.text;
    if (text === undefined) return undefined;
    joined += `${text}\n`;
  }
  return joined;
}
