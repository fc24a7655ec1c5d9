import { defineProvider } from '@cairn/provider-sdk';
import { bytesResource } from './resources/bytes.js';
import { idResource } from './resources/id.js';
import { integerResource } from './resources/integer.js';
import { petResource } from './resources/pet.js';
import { shuffleResource } from './resources/shuffle.js';
import { passwordResource, stringResource } from './resources/text.js';
import { uuidResource } from './resources/uuid.js';

/** The package `cairn-random`. */
export const randomProvider = defineProvider({
  name: 'cairn-random',
  version: '0.1.0',
  description: 'Random values that stay as they are until something they depend on changes.',
  compares: 'arguments',
  resources: {
    'index:Bytes': valueOnly(bytesResource),
    'index:Id': valueOnly(idResource),
    'index:Integer': valueOnly(integerResource),
    'index:Password': valueOnly(passwordResource),
    'index:Pet': valueOnly(petResource),
    'index:Shuffle': valueOnly(shuffleResource),
    'index:String': valueOnly(stringResource),
    'index:Uuid': valueOnly(uuidResource),
  },
});

/**
 * Marks a resource whose objects are values in the state and nothing else. A retried create draws another value. The
 * previous one was never reported and exists nowhere, so no second object remains. Such an object cannot be read.
 */
function valueOnly<R extends object>(
  resource: R,
): R & { readonly idempotencyToken: true; readonly reads: 'record' } {
  return { ...resource, idempotencyToken: true, reads: 'record' };
}
