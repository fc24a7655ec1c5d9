const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let rest = index;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0x82f63b78 : rest >>> 1;
  return rest >>> 0;
});

/** Returns the CRC-32C (Castagnoli) of the bytes as Cloud Storage writes it: big-endian, in base64. */
export function crc32c(bytes: Uint8Array): string {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = (TABLE[(rest ^ byte) & 0xff] ?? 0) ^ (rest >>> 8);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE((rest ^ 0xffffffff) >>> 0);
  return sum.toString('base64');
}
