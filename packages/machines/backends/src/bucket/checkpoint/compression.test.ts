import { gzipSync } from 'node:zlib';
import { isCairnError } from '@cairn/diagnostics';
import { decompress } from './compression.js';

/** `{"version":3,"deployment":"xxx…"}` with 400 times `x`, as the command `zstd -19` has packed it. */
const ZSTD = Buffer.from('KLUv/QRoLQEA8HsidmVyc2lvbiI6MywiZGVwbG95bWVudCI6IngifQEAMKrACSxusbU=', 'base64');
const TEXT = `{"version":3,"deployment":"${'x'.repeat(400)}"}`;

test.each([
  ['zstd, on every version of Node', ZSTD],
  ['gzip', gzipSync(TEXT)],
  ['plain', Buffer.from(TEXT)],
])('a state is read by its content: %s', async (_name, bytes) => {
  expect(Buffer.from(await decompress(bytes, 'dev.json')).toString()).toBe(TEXT);
});

test.each([
  ['zstd', ZSTD],
  ['gzip', gzipSync(TEXT)],
])('one that was cut off is called so: %s', async (_name, bytes) => {
  const thrown: unknown = await decompress(bytes.subarray(0, -12), 'dev.json').catch(
    (error: unknown) => error,
  );
  if (!isCairnError(thrown)) throw thrown;
  expect(thrown.diagnostics[0]).toMatchObject({
    code: 'CAIRN-STATE-CORRUPT',
    summary: 'cannot read the state in dev.json: the file was cut off and cannot be decompressed',
    hint: expect.stringContaining('`cairn state repair`') as unknown,
  });
});
