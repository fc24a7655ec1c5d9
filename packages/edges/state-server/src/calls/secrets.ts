import type { StackId } from '@cairn/backends';
import { Refusal } from '../domain/refusal.js';
import type { ServicePorts } from './service-ports.js';
import type { Stacks } from './stacks.js';

/** Seals and opens the secrets of stacks. */
export class Secrets {
  readonly #ports: ServicePorts;
  readonly #stacks: Stacks;

  constructor(ports: ServicePorts, stacks: Stacks) {
    this.#ports = ports;
    this.#stacks = stacks;
  }

  async encrypt(stack: StackId, plaintexts: readonly Uint8Array[]): Promise<readonly Buffer[]> {
    const { id, key } = await this.#stacks.record(stack);
    const opened = await this.#ports.keys.open(id, key);
    return plaintexts.map((plaintext) => opened.encrypt(plaintext));
  }

  /** Refuses ciphertext that was not sealed under this stack. */
  async decrypt(stack: StackId, ciphertexts: readonly Uint8Array[]): Promise<readonly Buffer[]> {
    const { id, key } = await this.#stacks.record(stack);
    const opened = await this.#ports.keys.open(id, key);
    return ciphertexts.map((ciphertext) => {
      const plaintext = opened.decrypt(ciphertext);
      if (plaintext === undefined) throw new Refusal(400, 'The ciphertext does not belong to this stack.');
      return plaintext;
    });
  }
}
