/**
 * Encrypts and decrypts one text, at once. State passes the JSON text of a value, config passes the raw string [SEC-2];
 * a crypter never looks inside.
 */
export interface Crypter {
  /**
   * `identity` is the secret object the text belongs to. A caching crypter gives the same object with the same text the
   * same ciphertext again [SEC-6]; others ignore it and answer with a fresh ciphertext every time. Throws a
   * `CairnError` when locked.
   */
  encrypt(plaintext: string, identity?: object): string;
  /** Throws a `CairnError` when locked, or when the text was not made with this key or was altered. */
  decrypt(ciphertext: string): string;
}
