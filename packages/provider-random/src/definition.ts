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
    'index:Bytes': bytesResource,
    'index:Id': idResource,
    'index:Integer': integerResource,
    'index:Password': passwordResource,
    'index:Pet': petResource,
    'index:Shuffle': shuffleResource,
    'index:String': stringResource,
    'index:Uuid': uuidResource,
  },
});
