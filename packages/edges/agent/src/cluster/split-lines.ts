/** Characters of one line. The rest of a longer one is dropped. */
const LONGEST = 1024 * 1024;

/** Yields the lines of a stream of bytes, the last one also without an end. */
export async function* splitLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = (lines.pop() ?? '').slice(0, LONGEST);
    yield* lines;
  }
  if (rest !== '') yield rest;
}
