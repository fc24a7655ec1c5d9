/** The part of the vendor's library that is used; published packages bundle no more of it. */
export { CRC32C, Storage } from '@google-cloud/storage';
