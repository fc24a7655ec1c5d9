import type { StackKeys, WrappedKey } from '../crypto/stack-keys.js';

const PREFIX = 'setup-';
/** Name to which the sealed time is bound, in the place of the id of a stack. No stack has it. */
const PURPOSE = 'the first administrator';
const ID_BYTES = 8;
const LENGTH_BYTES = 2;
const TIME_BYTES = 8;

/**
 * Returns a secret that proves until a time, in milliseconds since 1970, that the service made it. Every process with
 * the same master key recognises it.
 */
export async function makeSetupSecret(keys: StackKeys, until: number): Promise<string> {
  const key = await keys.create(PURPOSE);
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(until));
  const box = (await keys.open(PURPOSE, key)).encrypt(time);
  const sealed = Buffer.from(key.sealed, 'base64');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(sealed.length);
  return PREFIX + Buffer.concat([Buffer.from(key.master, 'hex'), length, sealed, box]).toString('base64url');
}

/** Returns the time at which a secret ends, or undefined if the service did not make it. */
export async function setupSecretEnd(keys: StackKeys, secret: string): Promise<number | undefined> {
  const parts = partsOf(secret);
  if (parts === undefined) return undefined;
  const time = await keys.open(PURPOSE, parts.key).then(
    (key) => key.decrypt(parts.box),
    () => undefined,
  );
  return time?.length === TIME_BYTES ? Number(time.readBigUInt64BE()) : undefined;
}

function partsOf(secret: string): { readonly key: WrappedKey; readonly box: Buffer } | undefined {
  const bytes = Buffer.from(secret.slice(PREFIX.length), 'base64url');
  const start = ID_BYTES + LENGTH_BYTES;
  if (!secret.startsWith(PREFIX) || bytes.length <= start) return undefined;
  const end = start + bytes.readUInt16BE(ID_BYTES);
  const key = {
    master: bytes.toString('hex', 0, ID_BYTES),
    sealed: bytes.subarray(start, end).toString('base64'),
  };
  return { key, box: bytes.subarray(end) };
}
