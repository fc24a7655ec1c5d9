import { SIGNATURES, SIGNATURE_KEY } from '@cairn/values';

/** Marks and sentinels of special values inside a Struct [VAL-1] [VAL-2]. */

export { SIGNATURE_KEY };

/** Signatures by kind of special value in a message. */
export const WIRE_SIGNATURES = { ...SIGNATURES, output: 'd0e6a833031e9bbcd3f4e8bde6ca49a4' } as const;

/** Kind of a special value that is written as a struct. */
export type SignedKind = keyof typeof WIRE_SIGNATURES;

const KIND_BY_SIGNATURE: ReadonlyMap<string, SignedKind> = new Map(
  Object.entries(WIRE_SIGNATURES).map(([kind, signature]) => [signature, kind as SignedKind]),
);

/** Returns the kind that a signature selects, or undefined if it is unknown. */
export function signedKind(signature: string): SignedKind | undefined {
  return KIND_BY_SIGNATURE.get(signature);
}

/** Text that Cairn writes for an unknown value: the only one that Node programs recognise. */
export const UNKNOWN_SENTINEL = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** Texts of unknown values by the type that the peer declared. All of them read as the same unknown. */
export const UNKNOWN_SENTINELS = {
  boolean: '1c4a061d-8072-4f0a-a4cb-0ff528b18fe7',
  number: '3eeb2bf0-c639-47a8-9e75-3b44932eb421',
  string: UNKNOWN_SENTINEL,
  array: '6a19a0b0-7e62-4c92-b797-7f8e31da9cc2',
  asset: '030794c1-ac77-496b-92df-f27374a8bd58',
  archive: 'e48ece36-62e2-4504-bad9-02848725956a',
  object: 'dd056dcd-154b-4c76-9bd3-c8f88648b5ff',
} as const;

const SENTINEL_LENGTH = UNKNOWN_SENTINEL.length;
const SENTINELS: ReadonlySet<string> = new Set(Object.values(UNKNOWN_SENTINELS));

/** Recognises a text that represents an unknown value. */
export function isUnknownSentinel(text: string): boolean {
  return text.length === SENTINEL_LENGTH && SENTINELS.has(text);
}
