import { defineProvider } from '@cairn/provider-sdk';
import { bytesResource } from './resources/bytes.js';
import { idResource } from './resources/id.js';
import { integerResource } from './resources/integer.js';
import { petResource } from './resources/pet.js';
import { shuffleResource } from './resources/shuffle.js';
import { passwordResource, stringResource } from './resources/text.js';
import { uuidResource } from './resources/uuid.js';

/** The package `cairn-random`. */
export const definition = defineProvider({
  name: 'cairn-random',
  version: '0.1.0',
  description: 'Random values that stay as they are until something they depend on changes.',
  resources: {
    'index:Bytes': repeatable(bytesResource),
    'index:Id': repeatable(idResource),
    'index:Integer': repeatable(integerResource),
    'index:Password': repeatable(passwordResource),
    'index:Pet': repeatable(petResource),
    'index:Shuffle': repeatable(shuffleResource),
    'index:String': repeatable(stringResource),
    'index:Uuid': repeatable(uuidResource),
  },
});

/** Its objects are values and nothing else: one that nobody saw is none, so making another one does no harm. */
function repeatable<R extends object>(resource: R): R & { readonly idempotencyToken: true } {
  return { ...resource, idempotencyToken: true };
}
