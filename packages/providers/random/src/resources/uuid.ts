import { randomUUID } from 'node:crypto';
import { ProviderError, defineResource, s } from '@cairn/provider-sdk';
import { keepers } from './keepers.js';

const inputs = { keepers };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A random UUID (version 4). Its id is the UUID, and an import takes it. */
export const uuidResource = defineResource({
  description: 'A random UUID.',
  inputs,
  outputs: { ...inputs, result: s.string().describe('The UUID.') },
  create: async (given) => {
    const result = randomUUID();
    return { id: result, outputs: { ...given, result } };
  },
  read: async (id, known) => {
    if (known !== undefined) return { id, ...known };
    if (!UUID.test(id)) throw new ProviderError('INVALID_ARGUMENT', 'the id to import must be a UUID');
    return { id, inputs: {}, outputs: { result: id.toLowerCase() } };
  },
});
