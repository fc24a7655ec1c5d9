/** Service that keeps the key of a stack's secrets, and encrypts and decrypts with it. Results are in order. */
export interface SecretService {
  encrypt(plaintexts: readonly string[]): Promise<readonly string[]>;
  decrypt(ciphertexts: readonly string[]): Promise<readonly string[]>;
}
