import type { DiffKind, PropertyDiff } from '../contracts/property-diff.js';
import type { DiffResponse } from '../contracts/provider.js';
import { DiffResponse_DiffChanges, PropertyDiff_Kind } from '../generated/pulumi/provider.js';
import type { DiffResponse as WireDiff } from '../generated/pulumi/provider.js';
import { InvalidAnswerError } from '../contracts/provider-errors.js';
import { decodeMap, encodeMap } from '@cairn/protobuf';

const KINDS = {
  add: PropertyDiff_Kind.ADD,
  'add-replace': PropertyDiff_Kind.ADD_REPLACE,
  delete: PropertyDiff_Kind.DELETE,
  'delete-replace': PropertyDiff_Kind.DELETE_REPLACE,
  update: PropertyDiff_Kind.UPDATE,
  'update-replace': PropertyDiff_Kind.UPDATE_REPLACE,
} as const satisfies Record<DiffKind, PropertyDiff_Kind>;

const CHANGES = {
  unknown: DiffResponse_DiffChanges.DIFF_UNKNOWN,
  none: DiffResponse_DiffChanges.DIFF_NONE,
  some: DiffResponse_DiffChanges.DIFF_SOME,
} as const satisfies Record<DiffResponse['changes'], DiffResponse_DiffChanges>;

const kindByNumber = new Map<number, DiffKind>(
  Object.entries(KINDS).map(([kind, number]) => [number, kind as DiffKind]),
);
const changesByNumber = new Map<number, DiffResponse['changes']>(
  Object.entries(CHANGES).map(([changes, number]) => [number, changes as DiffResponse['changes']]),
);

/** Decodes a provider's diff. Unknown kinds read as `update`; unknown `changes` are an error [PROV-15]. */
export function decodeDiff(wire: WireDiff): DiffResponse {
  const changes = changesByNumber.get(wire.changes);
  if (changes === undefined) {
    throw new InvalidAnswerError(`it has an unknown kind of changes, ${wire.changes}`);
  }
  return {
    changes,
    replaceKeys: wire.replaces,
    changedKeys: wire.diffs,
    stableKeys: wire.stables,
    detailedDiff: wire.hasDetailedDiff ? decodeDetails(wire.detailedDiff) : undefined,
    deleteBeforeReplace: wire.deleteBeforeReplace,
  };
}

/** Encodes a diff. */
export function encodeDiff(diff: DiffResponse): WireDiff {
  return {
    changes: CHANGES[diff.changes],
    replaces: [...diff.replaceKeys],
    diffs: [...diff.changedKeys],
    stables: [...diff.stableKeys],
    deleteBeforeReplace: diff.deleteBeforeReplace,
    detailedDiff: encodeDetails(diff.detailedDiff ?? {}),
    hasDetailedDiff: diff.detailedDiff !== undefined,
  };
}

/** Decodes differences by path. Unknown kinds read as `update`. */
export function decodeDetails(wire: WireDiff['detailedDiff']): Readonly<Record<string, PropertyDiff>> {
  return decodeMap(wire, ({ kind, inputDiff }) => ({ kind: kindByNumber.get(kind) ?? 'update', inputDiff }));
}

/** Encodes differences by path. */
export function encodeDetails(details: Readonly<Record<string, PropertyDiff>>): WireDiff['detailedDiff'] {
  return encodeMap(details, ({ kind, inputDiff }) => ({ kind: KINDS[kind], inputDiff }));
}
