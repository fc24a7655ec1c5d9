/** Secrets managers and their crypters. */
export type { Crypter } from './crypter.js';
export type { SecretsManager, UnlockSources } from './secrets-manager.js';
export { sameManager } from './secrets-manager.js';
export {
  base64Crypter,
  blindingCrypter,
  blindingStateCrypter,
  errorCatchingCrypter,
  lockedCrypter,
  noManagerCrypter,
  nopCrypter,
} from './plain-crypters.js';
export { hasPlaceholders, settled, settledText } from './service/placeholders.js';
export type { SecretService } from './service/secret-service.js';
export { symmetricCrypter } from './symmetric.js';
export { cachingCrypter, cachingSecretsManager } from './caching-crypter.js';
export { askNewPassphrase } from './passphrase/ask-new-passphrase.js';
export { createPassphraseManager, passphraseManager } from './passphrase/passphrase-manager.js';
export { cloudManager, createCloudManager, overrideUrl } from './cloud/cloud-manager.js';
export type { KeyServiceOptions } from './cloud/cloud-manager.js';
export { cloudState, parseCloudState } from './cloud/cloud-state.js';
export { callKeyService } from './cloud/key-call.js';
export { parseKeyUrl } from './cloud/key-url.js';
export { openKeyService } from './cloud/open-key-service.js';
export { saltOfStateJson } from './passphrase/salt-state.js';
export { base64Manager, openSecretsManager } from './open.js';
