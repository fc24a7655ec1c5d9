import type { StackId } from '@cairn/backends';
import { Refusal } from '../domain/refusal.js';
import { settingsRow } from './deployments/named-stacks.js';
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

  /** Refuses ciphertext that was sealed neither under this stack nor under the one that it is a review stack of. */
  async decrypt(stack: StackId, ciphertexts: readonly Uint8Array[]): Promise<readonly Buffer[]> {
    const { id, key } = await this.#stacks.record(stack);
    const opened = await this.#ports.keys.open(id, key);
    const plaintexts: Buffer[] = [];
    for (const ciphertext of ciphertexts) {
      const plaintext = opened.decrypt(ciphertext) ?? (await this.#copiedKey(stack, id))?.decrypt(ciphertext);
      if (plaintext === undefined) throw new Refusal(400, 'The ciphertext does not belong to this stack.');
      plaintexts.push(plaintext);
    }
    return plaintexts;
  }

  /** Returns the key of the stack whose configuration a review stack has [AGT-25]. */
  async #copiedKey(stack: StackId, id: string) {
    const { store, keys } = this.#ports;
    const copies = (await settingsRow(store, id))?.copies;
    if (copies === undefined) return undefined;
    const record = await store.stackRecord({ ...stack, stack: copies.stack });
    return record?.id === copies.stackId ? keys.open(record.id, record.key) : undefined;
  }
}
