import { createHash } from 'node:crypto';
import { callKeyService, parseKeyUrl } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import { KEY_BYTES, seal, unseal } from './sealed-box.js';

/** Key that seals the data keys of stacks. It is bytes of the service, or a key that never leaves its own service. */
export interface MasterKey {
  /** Names the key in wrapped data keys: 16 hex digits that say nothing about its bytes. */
  readonly id: string;
  /** Seals the data key of a stack. The result is base64. */
  wrap(stackId: string, dataKey: Uint8Array): Promise<string>;
  /** Opens the result of {@link wrap}, or returns undefined if it is not of this key and stack. */
  unwrap(stackId: string, sealed: string): Promise<Buffer | undefined>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns a master key from its text: 32 bytes as base64 or hex, or the URL of a key service. `source` names the place
 * of the text in errors. Fails with `CAIRN-USAGE`, and with `CAIRN-KEY-URL` for a wrong URL.
 */
export function masterKeyOf(text: string, source: string, env: Environment): MasterKey {
  const trimmed = text.trim();
  if (isKeyUrl(trimmed)) return keyServiceKey(trimmed, env);
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  if (key.length === KEY_BYTES) return localMasterKey(key);
  throw cairnError('CAIRN-USAGE', `cannot use the master key in ${source}: it is not ${KEY_BYTES} bytes`, {
    hint: 'Make one with `openssl rand -base64 32`, and keep a copy of it in a safe place.',
  });
}

/** Returns true for the address of a key, such as `awskms://alias/cairn`, in place of its bytes. */
export function isKeyUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim());
}

/** Returns the master key of these 32 bytes. */
function localMasterKey(key: Uint8Array): MasterKey {
  return {
    id: idOf('cairn master key\n', key),
    wrap: async (stackId, dataKey) => seal(key, boundText(stackId), dataKey).toString('base64'),
    unwrap: async (stackId, sealed) => unseal(key, boundText(stackId), Buffer.from(sealed, 'base64')),
  };
}

/**
 * Returns the master key that a key service holds. Services of some kinds authenticate no further text, so the digest
 * of the stack's id is sealed together with its data key.
 */
function keyServiceKey(url: string, env: Environment): MasterKey {
  parseKeyUrl(url);
  return {
    id: idOf('cairn key service\n', Buffer.from(url)),
    wrap: async (stackId, dataKey) => {
      const bytes = Buffer.concat([dataKey, digestOf(boundText(stackId))]);
      const wrapped = await callKeyService(url, 'wrap', { env }, {}, (service) => service.wrap(bytes));
      return Buffer.from(wrapped).toString('base64');
    },
    unwrap: async (stackId, sealed) => {
      const wrapped = Buffer.from(sealed, 'base64');
      const bytes = Buffer.from(
        await callKeyService(url, 'unwrap', { env }, {}, (service) => service.unwrap(wrapped)),
      );
      const isBound = bytes.subarray(KEY_BYTES).equals(digestOf(boundText(stackId)));
      return isBound ? bytes.subarray(0, KEY_BYTES) : undefined;
    },
  };
}

function boundText(stackId: string): string {
  return `key of ${stackId}`;
}

function idOf(kind: string, bytes: Uint8Array): string {
  return createHash('sha256').update(kind).update(bytes).digest('hex').slice(0, 16);
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
