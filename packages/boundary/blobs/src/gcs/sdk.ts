/** Used part of the vendor's library; published packages bundle no more of it. */
export { CRC32C, Storage } from '@google-cloud/storage';
