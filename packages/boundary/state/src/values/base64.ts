/**
 * Returns the bytes of standard base64 with padding, ignoring line breaks. Returns `undefined` if the text is anything
 * else [STATE-1].
 */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text.replace(/[\r\n]/g, '') ? bytes : undefined;
}
