import * as v from 'valibot';

/** Bytes as padded base64; null is no bytes. */
const bytes = v.nullish(
  v.pipe(
    v.string(),
    v.base64('is not base64'),
    v.transform((text) => Buffer.from(text, 'base64')),
  ),
  '',
);

/** Largest number of values in one batch. */
const MOST_VALUES = 10_000;

const batch = v.nullish(v.pipe(v.array(bytes), v.maxLength(MOST_VALUES, 'has too many values')), []);

export const EncryptRequest = v.object({ plaintext: bytes });
export const BatchEncryptRequest = v.object({ plaintexts: batch });
export const DecryptRequest = v.object({ ciphertext: bytes });
export const BatchDecryptRequest = v.object({ ciphertexts: batch });
