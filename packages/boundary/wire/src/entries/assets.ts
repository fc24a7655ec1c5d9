export { isAssetError } from '../assets/asset-error.js';
export { needsHashes, withHashes } from '../assets/with-hashes.js';
