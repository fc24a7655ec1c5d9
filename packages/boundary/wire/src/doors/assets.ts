export { AssetError, isAssetError } from '../assets/asset-error.js';
export { hashArchive, hashAsset } from '../assets/hash.js';
export { needsHashes, withHashes } from '../assets/with-hashes.js';
