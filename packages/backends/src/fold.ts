import type { ChangeRecord } from '@cairn/changes';
import { Replayer } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';

/** How the manifest of a folded deployment is signed. */
export interface Signature {
  /** RFC 3339. */
  readonly time: string;
  /** Version of the program that writes. */
  readonly version: string;
}

/** A replay that is fed record by record while an operation runs. */
export interface LiveFold {
  /** Takes the journal entries of records in; records without one are about the change alone. */
  add(records: readonly ChangeRecord[]): void;
  /** The deployment as of now; steps begun and not ended are its pending operations. */
  deployment(signature: Signature): SerializedDeployment;
  /** How many journal entries were taken in. */
  readonly entries: number;
}

/** Starts a replay over a base deployment (DESIGN D3: one stream, replayed to the snapshot here and to the change elsewhere). */
export function liveFold(base: SerializedDeployment): LiveFold {
  const replayer = new Replayer(base);
  let entries = 0;
  return {
    add(records) {
      for (const record of records) {
        const entry = 'entry' in record ? record.entry : undefined;
        if (entry === undefined) continue;
        replayer.add(entry as never);
        entries += 1;
      }
    },
    deployment: (signature) => replayer.generate(signature),
    get entries() {
      return entries;
    },
  };
}
