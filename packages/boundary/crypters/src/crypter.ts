/**
 * Encrypts and decrypts one text, synchronously. State passes the JSON text of a value, config passes the raw string
 * [SEC-2]; a crypter never looks inside.
 */
export interface Crypter {
  /**
   * Encrypts a text. `identity` is the secret object that the text belongs to. A caching crypter returns the same
   * ciphertext for the same object and text [SEC-6]. Others ignore it and return a fresh ciphertext every time. Throws
   * a `CairnError` if locked.
   */
  encrypt(plaintext: string, identity?: object): string;
  /** Decrypts a text. Throws a `CairnError` if locked, or if the text was made with another key or was altered. */
  decrypt(ciphertext: string): string;
}
