/** Operations on stacks, and what belongs to stacks, without a terminal. */
export { noStack } from './access/no-stack.js';
export { referredStack, stackHere } from './access/stack-reference.js';
export { thisProcess } from './access/this-process.js';
export { placeImport, readImportList, wishOfWords } from './imports/import-list.js';
export type { ImportWish, PlacedImport, WishedResource } from './imports/import-list.js';
export { environmentSecrets } from './masking/environment-secrets.js';
export { heardProviders } from './masking/heard-providers.js';
export { maskedError } from './masking/mask-error.js';
export { SecretMask, maskEvent, maskResult } from './masking/mask-secrets.js';
export { sealingStore } from './operation/sealing-store.js';
export { chosenDoubt, namedDoubts } from './recovery/named-doubts.js';
export type { NamedDoubt } from './recovery/named-doubts.js';
export { checkTag, tagOf } from './stacks/tags.js';
