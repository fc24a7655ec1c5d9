import { createHmac } from 'node:crypto';
import type { Block, TfValue } from '@cairn/tfplugin';
import type { KeptAnswers } from '@cairn/wire';
import type { TfDiagnostic } from '../client/index.js';
import { encodedObject } from '../lifecycle/index.js';
import type { StoredObject, Subject, TerraformClient, Upgraded } from '../lifecycle/index.js';
import { standsInNextPass } from './answer-memory.js';

/** Bytes of a digest, enough that two requests never share one. */
const BYTES = 16;

/**
 * Makes the calls that are functions of their request, the schema and the executable. Skips those that had no effect
 * and nothing to say in an earlier operation [TFB-13].
 */
export class KeptCalls {
  readonly #client: TerraformClient;
  readonly #kept: KeptAnswers | undefined;
  readonly #executable: string | undefined;
  /** Text that the digests of a type's calls begin with. */
  readonly #types = new Map<string, string>();

  /** `executable`: identity of the provider's file. If absent, nothing is kept, as its change could not be noticed. */
  constructor(client: TerraformClient, kept: KeptAnswers | undefined, executable: string | undefined) {
    this.#client = client;
    this.#kept = executable === undefined ? undefined : kept;
    this.#executable = executable;
  }

  /** Returns errors and warnings about a configuration. */
  async validate(type: string, block: Block, config: TfValue): Promise<readonly TfDiagnostic[]> {
    const question = this.#question('validate', type, () => encodedObject(block, config));
    if (this.#stands(question)) return [];
    const said = await this.#client.validateResource(type, config);
    if (standsInNextPass({ config, outcome: 'valid', said })) this.#keep(question);
    return said;
  }

  /** Converts a stored object of the subject's type to the current schema. `text` is the object as it is stored. */
  async upgrade(subject: Subject, stored: StoredObject, text: string): Promise<Upgraded> {
    const question = this.#question('upgrade', subject.type, () => text);
    const state = this.#stands(question) ? this.#client.readUnchanged(subject, stored) : undefined;
    if (state !== undefined) return { state, warnings: [], notes: [] };
    const upgraded = await this.#client.upgrade(subject, stored);
    if (question !== undefined && this.#client.isWithoutEffect(subject, stored, upgraded))
      this.#keep(question);
    return upgraded;
  }

  /** Returns the digest of a request, keyed because it contains secrets. Undefined if no answers are kept. */
  #question(call: string, type: string, request: () => Uint8Array | string): string | undefined {
    if (this.#kept === undefined) return undefined;
    const hash = createHmac('sha256', this.#kept.key).update(`${call}\n${this.#typeText(type)}`);
    return hash.update(request()).digest().subarray(0, BYTES).toString('latin1');
  }

  #stands(question: string | undefined): boolean {
    return question !== undefined && this.#kept?.has(question) === true;
  }

  #keep(question: string | undefined): void {
    if (question !== undefined) this.#kept?.keep(question);
  }

  #typeText(type: string): string {
    let text = this.#types.get(type);
    if (text === undefined) {
      const { resources, identities } = this.#client.schema;
      const parts = [this.#executable, type, resources.get(type), identities.get(type)];
      this.#types.set(type, (text = `${JSON.stringify(parts, mapsAsLists)}\n`));
    }
    return text;
  }
}

function mapsAsLists(_key: string, value: unknown): unknown {
  return value instanceof Map ? [...(value as ReadonlyMap<string, unknown>)] : value;
}
