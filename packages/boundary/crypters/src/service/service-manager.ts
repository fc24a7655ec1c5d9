import { BugError } from '@cairn/diagnostics';
import type { Crypter } from '../crypter.js';
import type { SecretsManager } from '../secrets-manager.js';
import { placeholderOf } from './placeholders.js';
import type { SecretService } from './secret-service.js';

/**
 * Returns the manager of secrets whose key a service keeps. Its crypter returns placeholders, see `settled`, and opens
 * what was fetched, and what it has encrypted itself.
 */
export function serviceManager(state: string, service: SecretService): SecretsManager {
  const crypter = new ServiceCrypter(service);
  return {
    type: 'service',
    state,
    crypter: async () => crypter,
    fetch: (ciphertexts) => crypter.fetch(ciphertexts),
  };
}

/** Text that waits for the next call of the service. */
interface Waiting {
  readonly plaintext: string;
  readonly resolve: (ciphertext: string) => void;
  readonly reject: (error: unknown) => void;
}

class ServiceCrypter implements Crypter {
  /** Plaintexts by ciphertext, and by placeholder. */
  readonly #opened = new Map<string, string>();
  #waiting: Waiting[] = [];
  readonly #service: SecretService;

  constructor(service: SecretService) {
    this.#service = service;
  }

  encrypt(plaintext: string): string {
    const ciphertext = new Promise<string>((resolve, reject) => {
      this.#waiting.push({ plaintext, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => void this.#seal());
    });
    const placeholder = placeholderOf(ciphertext);
    this.#opened.set(placeholder, plaintext);
    return placeholder;
  }

  decrypt(ciphertext: string): string {
    const plaintext = this.#opened.get(ciphertext);
    if (plaintext === undefined) throw new BugError('a ciphertext of a service that was not fetched');
    return plaintext;
  }

  /** Opens in one call the ciphertexts that are not open yet. */
  async fetch(ciphertexts: Iterable<string>): Promise<void> {
    const missing = [...new Set(ciphertexts)].filter((each) => !this.#opened.has(each));
    if (missing.length === 0) return;
    const plaintexts = await this.#service.decrypt(missing);
    missing.forEach((ciphertext, at) => this.#opened.set(ciphertext, plaintexts[at] as string));
  }

  /** Encrypts everything that waits, in one call. Never rejects. */
  async #seal(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      const ciphertexts = await this.#service.encrypt(batch.map(({ plaintext }) => plaintext));
      batch.forEach(({ plaintext, resolve }, at) => {
        const ciphertext = ciphertexts[at] as string;
        this.#opened.set(ciphertext, plaintext);
        resolve(ciphertext);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
