import { SIGNATURES, SIGNATURE_KEY } from '@cairn/values';

export { SIGNATURE_KEY };

/** Signatures by kind of value in a state [VAL-9]. */
export const STATE_SIGNATURES = { ...SIGNATURES, nonFinite: '8ad145fe-0d11-4827-bfd7-1abcbf086f5c' } as const;

/** SHA-256 of no bytes: the hash of an asset with empty text. */
export const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
