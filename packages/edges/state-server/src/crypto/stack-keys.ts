import { createHash, randomBytes } from 'node:crypto';
import { cairnError } from '@cairn/diagnostics';
import { KEY_BYTES, seal, unseal } from './sealed-box.js';

/** Data key of a stack, sealed by a master key. Both are base64 but the id, which is hex. */
export interface WrappedKey {
  /** Id of the master key. */
  readonly master: string;
  readonly sealed: string;
}

/** Makes and opens the data keys of stacks, and seals secrets with them. */
export interface StackKeys {
  /** Makes a data key for a stack. `stackId` is its immutable id. */
  create(stackId: string): WrappedKey;
  encrypt(stackId: string, key: WrappedKey, plaintext: Uint8Array): Buffer;
  /** Returns the plaintext, or undefined if it was not sealed under this stack. */
  decrypt(stackId: string, key: WrappedKey, ciphertext: Uint8Array): Buffer | undefined;
}

/** Returns the keys under a master key of 32 bytes. An opened data key is kept for the life of the process. */
export function stackKeys(master: Uint8Array): StackKeys {
  const masterId = createHash('sha256')
    .update('cairn master key\n')
    .update(master)
    .digest('hex')
    .slice(0, 16);
  const opened = new Map<string, Buffer>();
  const dataKey = (stackId: string, { master: id, sealed }: WrappedKey): Buffer => {
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    const key = unseal(master, `key of ${stackId}`, Buffer.from(sealed, 'base64'));
    if (key === undefined) throw otherMasterKey(id, masterId);
    opened.set(sealed, key);
    return key;
  };
  return {
    create: (stackId) => ({
      master: masterId,
      sealed: seal(master, `key of ${stackId}`, randomBytes(KEY_BYTES)).toString('base64'),
    }),
    encrypt: (stackId, key, plaintext) => seal(dataKey(stackId, key), `secret of ${stackId}`, plaintext),
    decrypt: (stackId, key, ciphertext) => unseal(dataKey(stackId, key), `secret of ${stackId}`, ciphertext),
  };
}

function otherMasterKey(wanted: string, present: string): Error {
  return cairnError('CAIRN-KEY-WRONG', 'cannot open the key of the stack: it needs another master key', {
    causes: [`the stack needs master key ${wanted}; the service has ${present}`],
    hint: 'Start the service with the master key that it had when the stack was created.',
  });
}

/** Returns a master key from its text: 32 bytes as base64 or hex. Fails with `CAIRN-USAGE`. */
export function masterKeyOf(text: string, source: string): Uint8Array {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (key.length === KEY_BYTES) return key;
  throw cairnError('CAIRN-USAGE', `cannot use the master key in ${source}: it is not ${KEY_BYTES} bytes`, {
    hint: 'Make one with `openssl rand -base64 32`, and keep a copy of it in a safe place.',
  });
}
