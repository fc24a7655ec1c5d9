import { randomBytes } from 'node:crypto';
import { ProviderError, defineResource, s } from '@cairn/provider-sdk';
import { keepers } from './keepers.js';

const inputs = {
  keepers,
  byteLength: s.integer({ min: 1, max: 65_536 }).describe('Number of random bytes.'),
  prefix: s.string().optional().describe('Text put before each written form.'),
};

/** Random bytes written in several ways. The id is the base64url form without prefix. An import takes `[prefix,]id`. */
export const idResource = defineResource({
  description: 'Random bytes written in several ways, for names.',
  inputs,
  outputs: {
    ...inputs,
    hex: s.string().describe('The bytes in hexadecimal.'),
    dec: s.string().describe('The bytes as one decimal number.'),
    b64Std: s.string().describe('The bytes in base64.'),
    b64Url: s.string().describe('The bytes in base64url without padding.'),
  },
  create: async (given) => {
    const bytes = randomBytes(given.byteLength);
    return { id: bytes.toString('base64url'), outputs: { ...given, ...written(bytes, given.prefix) } };
  },
  read: async (id, known) => {
    if (known !== undefined) return { id, ...known };
    const comma = id.lastIndexOf(',');
    const text = id.slice(comma + 1);
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length === 0 || bytes.toString('base64url') !== text) {
      throw new ProviderError(
        'INVALID_ARGUMENT',
        'the id to import must be [prefix,]<bytes in base64url without padding>',
      );
    }
    const found = { byteLength: bytes.length, prefix: comma < 0 ? undefined : id.slice(0, comma) };
    return { id: text, inputs: found, outputs: { ...found, ...written(bytes, found.prefix) } };
  },
});

function written(bytes: Buffer, prefix = '') {
  const hex = bytes.toString('hex');
  return {
    hex: prefix + hex,
    dec: prefix + BigInt(`0x${hex}`).toString(),
    b64Std: prefix + bytes.toString('base64'),
    b64Url: prefix + bytes.toString('base64url'),
  };
}
