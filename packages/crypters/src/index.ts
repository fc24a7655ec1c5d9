/** Secrets managers and the crypters they hand out. */
export type { Crypter } from './crypter.js';
export type { PassphrasePrompt, SecretsManager, SecretsManagerType, UnlockSources } from './secrets-manager.js';
export { sameManager } from './secrets-manager.js';
