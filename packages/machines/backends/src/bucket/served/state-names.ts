import type { BlobStore } from '@cairn/blobs';
import { currentLineages } from '../../model/lineages.js';
import { stateDigest } from '../../model/served-checkpoint.js';
import type { StackId } from '../../stack-id.js';
import { loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import { loadBaseText } from '../records/base-copy.js';
import type { ChangeFiles } from '../records/change-files.js';
import { stateTextOf } from '../state-texts.js';

/**
 * Names of states for clients of a service. A journal names a state by the digest of its checkpoint, of which a client
 * knows the export only. Names are made of contents, so those that were made stay true.
 */
export class StateNames {
  readonly #known = new Map<string, string>();
  readonly #store: BlobStore;

  constructor(store: BlobStore) {
    this.#store = store;
  }

  /** Notes the name of the state in a checkpoint. */
  note(digest: string, name: string): void {
    this.#known.set(digest, name);
  }

  /**
   * Returns a function that names the states of changes, which are oldest first. It reads those of the current lineages
   * alone: nothing compares another one with an export.
   */
  async of(id: StackId, changes: readonly ChangeFiles[]): Promise<(digest: string) => string> {
    const lineages = currentLineages(changes.toReversed());
    const compared = lineages.flatMap(({ members }) =>
      members.flatMap(({ base, left }) => (left === undefined ? [base] : [base, left])),
    );
    const wanted = new Set(compared.filter((digest) => !this.#known.has(digest)));
    if (wanted.size > 0) await this.#read(id, changes, wanted);
    return (digest) => this.#known.get(digest) ?? digest;
  }

  async #read(id: StackId, changes: readonly ChangeFiles[], wanted: ReadonlySet<string>): Promise<void> {
    const checkpoint = await loadCheckpoint(this.#store, id);
    if (checkpoint?.text !== undefined && wanted.has(checkpoint.digest))
      this.note(checkpoint.digest, stateDigest(stateTextOf(checkpoint.text, checkpoint.key)));
    for (const { base, directory } of changes) {
      if (!wanted.has(base) || this.#known.has(base)) continue;
      // A copy that is gone or damaged names no state. The change can then not be continued.
      const text = await loadBaseText(this.#store, directory, base).catch(() => undefined);
      if (text !== undefined) this.note(base, stateDigest(stateTextOf(text, directory)));
    }
  }
}
