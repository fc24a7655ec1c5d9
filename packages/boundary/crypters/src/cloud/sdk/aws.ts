/** The used part of the vendor's library; published packages bundle no more of it. */
export { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
