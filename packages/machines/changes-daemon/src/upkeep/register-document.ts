import type { DataMap, Status } from '@cairn/changes';
import { fail, messageOf } from '@cairn/diagnostics';
import type { NoticesJson } from '../notices/notices.js';
import type { WarningJson } from '../notices/warnings.js';
import type { PatchLevel } from './patches.js';

/** Contents that a register stores beside the logs of its changes. */
export interface RegisterDocument {
  readonly patch: PatchLevel;
  /** RFC 3339 time at which the first register of this scope began. */
  readonly started: string;
  readonly data: DataMap;
  /** Last id in use; ids continue from here, also after pruning. */
  readonly lastChange: number;
  /** Changes that have not been pruned, each with the status that its notice last reported. */
  readonly changes: readonly { readonly id: string; readonly told: Status | 'new' }[];
  readonly notices: NoticesJson;
  readonly warnings: readonly WarningJson[];
}

export function newRegisterDocument(patch: PatchLevel, now: Date): RegisterDocument {
  return {
    patch,
    started: now.toISOString(),
    data: {},
    lastChange: 0,
    changes: [],
    notices: { notices: [], lastId: 0, lastTimestamp: 0 },
    warnings: [],
  };
}

/**
 * Parses a register that is one JSON object. Missing members get the values of a new document. Fails with
 * CAIRN-STATE-CORRUPT when it is none.
 */
export function parseRegisterDocument(bytes: Uint8Array): RegisterDocument {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch (cause) {
    return registerCorrupt(messageOf(cause));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return registerCorrupt('it is not an object');
  return { ...newRegisterDocument({ level: 1, sublevel: 0 }, new Date(0)), ...value };
}

export function registerCorrupt(why: string): never {
  return fail('CAIRN-STATE-CORRUPT', 'the register of changes is damaged', {
    causes: [why],
    hint: 'Restore it from a backup, or move it away: the changes themselves are in their own logs.',
  });
}
