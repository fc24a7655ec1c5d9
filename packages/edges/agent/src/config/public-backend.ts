/** Tells if processes of other machines reach the backend at an address. */
export function isPublicBackend(address: string): boolean {
  return /^(https?|s3|gs|azblob):\/\//.test(address);
}
