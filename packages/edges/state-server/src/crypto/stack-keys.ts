import { randomBytes } from 'node:crypto';
import { cairnError } from '@cairn/diagnostics';
import type { MasterKey } from './master-key.js';
import { KEY_BYTES, seal, unseal } from './sealed-box.js';

/** Data key of a stack, sealed by a master key. Both are base64 but the id, which is hex. */
export interface WrappedKey {
  /** Id of the master key. */
  readonly master: string;
  readonly sealed: string;
}

/** Returns another form of the data key of a stack, or undefined to keep it. */
export type EditKey = (stackId: string, key: WrappedKey) => Promise<WrappedKey | undefined>;

/** Data key of a stack that is open. Ciphertexts are bound to the stack. */
interface StackKey {
  encrypt(plaintext: Uint8Array): Buffer;
  /** Returns the plaintext, or undefined if it was not sealed under this stack. */
  decrypt(ciphertext: Uint8Array): Buffer | undefined;
}

/** Makes and opens the data keys of stacks. `stackId` is the immutable id of a stack. */
export interface StackKeys {
  /** Makes a data key for a stack, under the current master key. */
  create(stackId: string): Promise<WrappedKey>;
  /** Opens a data key. Fails with `CAIRN-KEY-WRONG` if its master key is not there. */
  open(stackId: string, key: WrappedKey): Promise<StackKey>;
  /** Seals a data key under the current master key. Returns undefined if it is so already. */
  rewrap(stackId: string, key: WrappedKey): Promise<WrappedKey | undefined>;
}

/**
 * Returns the keys under a master key. Data keys that retired master keys sealed can be opened too. An opened data key
 * is kept for the life of the process.
 */
export function stackKeys(current: MasterKey, retired: readonly MasterKey[] = []): StackKeys {
  const masters = new Map([...retired, current].map((master) => [master.id, master]));
  const opened = new Map<string, Promise<Buffer>>();
  const dataKey = (stackId: string, { master: id, sealed }: WrappedKey): Promise<Buffer> => {
    const name = `${stackId} ${sealed}`;
    const known = opened.get(name);
    if (known !== undefined) return known;
    const key = unwrapped(masters, stackId, { master: id, sealed });
    opened.set(name, key);
    key.catch(() => opened.delete(name));
    return key;
  };
  const wrap = async (stackId: string, key: Uint8Array): Promise<WrappedKey> => ({
    ...{ master: current.id, sealed: await current.wrap(stackId, key) },
  });
  return {
    create: (stackId) => wrap(stackId, randomBytes(KEY_BYTES)),
    open: async (stackId, key) => {
      const bytes = await dataKey(stackId, key);
      return {
        encrypt: (plaintext) => seal(bytes, `secret of ${stackId}`, plaintext),
        decrypt: (ciphertext) => unseal(bytes, `secret of ${stackId}`, ciphertext),
      };
    },
    rewrap: async (stackId, key) =>
      key.master === current.id ? undefined : wrap(stackId, await dataKey(stackId, key)),
  };
}

async function unwrapped(
  masters: ReadonlyMap<string, MasterKey>,
  stackId: string,
  { master: id, sealed }: WrappedKey,
): Promise<Buffer> {
  const key = await masters.get(id)?.unwrap(stackId, sealed);
  if (key?.length === KEY_BYTES) return key;
  throw cairnError('CAIRN-KEY-WRONG', `cannot open the key of the stack: it needs master key ${id}`, {
    causes: [`the service has ${[...masters.keys()].join(', ')}`],
    hint: 'Start the service with the master key that the stack needs, as --master-key or --retired-key.',
  });
}
