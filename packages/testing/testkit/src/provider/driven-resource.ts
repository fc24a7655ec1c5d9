import type { CheckFailure, Provider } from '@cairn/wire';

type Values = Readonly<Record<string, unknown>>;

/** Replaces a secret value in {@link DrivenResource.shown}. */
export const SECRET = Symbol('secret');

/** Parameters of a create beside its inputs. */
interface CreateExtras {
  readonly timeoutSeconds?: number;
  readonly token?: string;
  readonly progressId?: string;
  readonly onProgressId?: (id: string) => Promise<void>;
}

/**
 * Drives one resource through the contract of providers, as an engine would: checks inputs first, and passes the last
 * known state of the object to the next call.
 */
export class DrivenResource {
  id = '';
  inputs: Values = {};
  outputs: Values = {};
  readonly #provider: Provider;

  /** `type` is the whole token. `provider` has finished its handshake and is configured. */
  constructor(
    provider: Provider,
    readonly type: string,
  ) {
    this.#provider = provider;
  }

  get #identity() {
    return { urn: `urn:pulumi:s::p::${this.type}::n` as never, name: 'n', type: this.type };
  }

  async check(news: Values): Promise<readonly CheckFailure[]> {
    return (await this.#checked(news)).failures;
  }

  #checked(news: Values) {
    return this.#provider.check({
      ...this.#identity,
      olds: undefined,
      news: news as never,
      randomSeed: new Uint8Array(32),
      allowUnknowns: true,
    });
  }

  /** Creates the object. Throws for inputs that do not pass the check. */
  async create(news: Values, extras: CreateExtras = {}): Promise<this> {
    const { inputs, failures } = await this.#checked(news);
    if (failures.length > 0) throw new Error(`not of its type: ${JSON.stringify(failures)}`);
    const request = { ...this.#identity, inputs, timeoutSeconds: 0, preview: false, ...extras };
    const made = await this.#provider.create(request);
    return Object.assign(this, { id: made.id, inputs, outputs: made.outputs });
  }

  /** Returns the keys that the diff finds changed, those that replace, and whether the old object is deleted first. */
  async diff(news: Values) {
    const { inputs } = await this.#checked(news);
    const found = await this.#provider.diff({
      ...this.#identity,
      id: this.id,
      oldInputs: this.inputs as never,
      oldOutputs: this.outputs as never,
      news: inputs,
      allowUnknowns: true,
      ignoreChanges: [],
    });
    return { changed: found.changedKeys, replace: found.replaceKeys, first: found.deleteBeforeReplace };
  }

  async update(news: Values): Promise<this> {
    const { inputs } = await this.#checked(news);
    const { outputs } = await this.#provider.update({
      ...this.#identity,
      id: this.id,
      oldInputs: this.inputs as never,
      oldOutputs: this.outputs as never,
      news: inputs,
      timeoutSeconds: 0,
      ignoreChanges: [],
      preview: false,
    });
    return Object.assign(this, { inputs, outputs });
  }

  /** Reads the object. Returns false if it does not exist. */
  async refresh(): Promise<boolean> {
    const known = { inputs: this.inputs as never, state: this.outputs as never };
    return this.#take(
      await this.#provider.read({ ...this.#identity, id: this.id, ...known, timeoutSeconds: 0 }),
    );
  }

  /** Does the same as {@link refresh}, with only the id known. */
  async import(id: string): Promise<boolean> {
    const nothing = { inputs: undefined, state: undefined };
    return this.#take(await this.#provider.read({ ...this.#identity, id, ...nothing, timeoutSeconds: 0 }));
  }

  #take(found: { id: string; inputs: unknown; outputs: unknown }): boolean {
    if (found.outputs === undefined) return false;
    Object.assign(this, found);
    return true;
  }

  async delete(): Promise<void> {
    await this.#provider.delete({
      ...this.#identity,
      id: this.id,
      oldInputs: this.inputs as never,
      oldOutputs: this.outputs as never,
      timeoutSeconds: 0,
    });
  }

  cancel(): Promise<void> {
    return this.#provider.cancel();
  }

  /** Outputs by name, secret ones as {@link SECRET}. */
  get shown(): Values {
    return Object.fromEntries(
      Object.entries(this.outputs).map(([key, value]) => [key, isMarked(value) ? SECRET : value]),
    );
  }
}

/** Tells whether a value of a provider is marked as secret. */
export const isMarked = (value: unknown): value is { readonly value: unknown } =>
  typeof value === 'object' && value !== null && value.constructor.name === 'Secret';
