import { hash } from 'node:crypto';
import type { StateText } from '@cairn/backends';
import type { BlobStore } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import { documentOf, documentText } from '../document-bytes.js';

/** Blob with the SHA-256 of its bytes, in hex. */
export interface BlobRef {
  readonly blob: string;
  readonly sha256: string;
}

/** Blobs of states and events. The name of one is its digest, so none is ever altered. */
export class StateBlobs {
  readonly #blobs: BlobStore;

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  async putState(stackId: string, state: StateText): Promise<BlobRef & { readonly bytes: number }> {
    const bytes = Buffer.from(documentText(state));
    return { ...(await this.put(stackId, bytes)), bytes: bytes.length };
  }

  async getState(ref: BlobRef): Promise<StateText> {
    return documentOf(await this.get(ref), ref.blob);
  }

  /** One that is there already is compared: a store that damaged it gets it again. */
  async put(stackId: string, bytes: Uint8Array): Promise<BlobRef> {
    const sha256 = digestOf(bytes);
    const blob = `stacks/${stackId}/${sha256}`;
    const { ok } = await this.#blobs.put(blob, bytes, { ifAbsent: true });
    const present = ok ? undefined : await this.#blobs.get(blob);
    if (!ok && (present === undefined || digestOf(present.bytes) !== sha256))
      await this.#blobs.put(blob, bytes);
    return { blob, sha256 };
  }

  /** Fails with `CAIRN-STATE-CORRUPT` for a blob that is gone, or has other bytes. */
  async get({ blob, sha256 }: BlobRef): Promise<Uint8Array> {
    const found = await this.#blobs.get(blob);
    if (found !== undefined && digestOf(found.bytes) === sha256) return found.bytes;
    throw cairnError(
      'CAIRN-STATE-CORRUPT',
      `cannot read ${blob}: ${found === undefined ? 'it is gone' : 'its bytes are not those that were stored'}`,
      { hint: 'Restore it from a backup of the blobs.' },
    );
  }

  /** Removes the blobs of a stack that is gone. */
  async removeAll(stackId: string): Promise<void> {
    for (const { key } of await this.#blobs.list(`stacks/${stackId}/`)) await this.#blobs.delete(key);
  }

  /** Returns the names of blobs that were put before a time, by the id that they belong to. */
  async olderThan(time: number): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, string[]>();
    for (const { key, modified } of await this.#blobs.list('stacks/')) {
      const id = key.split('/')[1] ?? '';
      if (modified < time) found.set(id, [...(found.get(id) ?? []), key]);
    }
    return found;
  }

  async remove(name: string): Promise<void> {
    await this.#blobs.delete(name);
  }

  ping(): Promise<unknown> {
    return this.#blobs.get('ping');
  }

  close(): Promise<void> {
    return this.#blobs.close();
  }
}

function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes);
}
