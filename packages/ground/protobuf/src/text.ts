/**
 * UTF-8 text in buffers, tuned for the short ASCII texts that protocol messages consist of: below these lengths a loop
 * is faster than the call into the runtime.
 */
const SHORT_WRITE = 48;
const SHORT_READ = 20;

/**
 * Writes ASCII text of at most {@link SHORT_WRITE} characters at `at`, where there must be room. Returns false if the
 * text is longer or not ASCII; the bytes from `at` are then undefined.
 */
export function writeShortAscii(buffer: Buffer, text: string, at: number): boolean {
  const length = text.length;
  if (length > SHORT_WRITE) return false;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) return false;
    buffer[at + index] = code;
  }
  return true;
}

/** Text of the bytes from `start` to `end`. Bytes that are not UTF-8 read as U+FFFD. */
export function readText(buffer: Buffer, start: number, end: number): string {
  if (end - start > SHORT_READ) return buffer.toString('utf8', start, end);
  let text = '';
  for (let at = start; at < end; at++) {
    const code = buffer[at] as number;
    if (code > 127) return buffer.toString('utf8', start, end);
    text += String.fromCharCode(code);
  }
  return text;
}

/** The same bytes as a Buffer, without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
