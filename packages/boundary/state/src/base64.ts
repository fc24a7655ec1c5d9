/**
 * The bytes of standard base64 with padding, line breaks passed over; undefined when the text is anything else
 * [STATE-1].
 */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text.replace(/[\r\n]/g, '') ? bytes : undefined;
}
