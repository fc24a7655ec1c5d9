import { crc32 } from 'node:zlib';

/** Encodes the JSON text of an object as a frame, which `readFrame` reads. */
export function encodeFrame(json: string): Uint8Array {
  const bytes = Buffer.from(json);
  const [length, checksum] = [bytes.length, crc32(bytes)].map((value) => value.toString(16).padStart(8, '0'));
  return Buffer.concat([Buffer.from(`${length} ${checksum} `), bytes, Buffer.from('\n')]);
}
