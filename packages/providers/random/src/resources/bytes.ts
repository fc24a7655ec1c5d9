import { randomBytes } from 'node:crypto';
import { ProviderError, defineResource, s } from '@cairn/provider-sdk';
import { HIDDEN_ID, keepers } from './keepers.js';

const inputs = {
  keepers,
  length: s.integer({ min: 1, max: 65_536 }).describe('Number of bytes.'),
};

/** Random secret bytes, for keys. An import takes their base64 form, which does not become part of the id. */
export const bytesResource = defineResource({
  description: 'Random bytes that are secret, for keys.',
  inputs,
  outputs: {
    ...inputs,
    base64: s.string().secret().describe('The bytes in base64.'),
    hex: s.string().secret().describe('The bytes in hexadecimal.'),
  },
  create: async (given) => ({ id: HIDDEN_ID, outputs: { ...given, ...written(randomBytes(given.length)) } }),
  read: async (id, known) => {
    if (known !== undefined) return { id: HIDDEN_ID, ...known };
    const bytes = Buffer.from(id, 'base64');
    if (bytes.length === 0 || bytes.toString('base64') !== id) {
      throw new ProviderError('INVALID_ARGUMENT', 'the id to import must be the bytes in base64');
    }
    const found = { length: bytes.length };
    return { id: HIDDEN_ID, inputs: found, outputs: { ...found, ...written(bytes) } };
  },
});

function written(bytes: Buffer): { base64: string; hex: string } {
  return { base64: bytes.toString('base64'), hex: bytes.toString('hex') };
}
