import { asProviderReference, isUrn } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { fail, isCairnError, messageOf } from '@cairn/diagnostics';
import {
  decodeExtensions,
  decodePropertyMap,
  decodeStateValue,
  isJsonObject,
  noTimeouts,
} from '@cairn/state';
import type { CustomTimeouts, Extension, Json, JsonObject } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';

/** Origin of a plan, and the stack it must be for. */
export interface PlanSource {
  /** File, for messages. */
  readonly file: string;
  readonly project: string;
  readonly stack: string;
  readonly crypter: PlanCrypter;
}

/** A JSON value with its position. Missing and null are the same. */
export class PlanPlace {
  readonly #json: Json | undefined;
  readonly #path: string;
  readonly #source: PlanSource;

  constructor(json: Json | undefined, path: string, source: PlanSource) {
    this.#json = json;
    this.#path = path;
    this.#source = source;
  }

  get isAbsent(): boolean {
    return this.#json === undefined || this.#json === null;
  }

  at(key: string): PlanPlace {
    const json = isJsonObject(this.#json) && Object.hasOwn(this.#json, key) ? this.#json[key] : undefined;
    return new PlanPlace(json, this.#path === '' ? key : `${this.#path}.${key}`, this.#source);
  }

  /**
   * Returns the place, which must contain an object (or nothing). `known`: the only keys allowed, because each limits
   * something.
   */
  object(known?: readonly string[]): PlanPlace {
    const other = Object.keys(this.#map()).find((key) => known !== undefined && !known.includes(key));
    return other === undefined ? this : this.at(other).refuse('is unknown');
  }

  entries(): readonly (readonly [string, PlanPlace])[] {
    return Object.keys(this.#map()).map((key) => [key, this.at(key)]);
  }

  items(): readonly PlanPlace[] {
    if (this.isAbsent) return [];
    if (!Array.isArray(this.#json)) return this.refuse('is not a list');
    return (this.#json as readonly Json[]).map(
      (item, index) => new PlanPlace(item, `${this.#path}[${index}]`, this.#source),
    );
  }

  text(): string | undefined {
    return this.#scalar('string', 'a string');
  }

  number(): number | undefined {
    return this.#scalar('number', 'a number');
  }

  textOrNumber(): string | number {
    return typeof this.#json === 'number' ? this.#json : (this.text() ?? this.refuse('is nothing'));
  }

  flag(): boolean | undefined {
    return this.#scalar('boolean', 'true or false');
  }

  texts(): readonly string[] {
    return this.items().map((item) => item.text() ?? '');
  }

  urn(): Urn | undefined {
    const text = this.text();
    if (text === undefined || text === '') return undefined;
    return isUrn(text) ? text : this.refuse('is not a URN');
  }

  urns(): readonly Urn[] {
    return this.items().map((item) => item.urn() ?? item.refuse('is not a URN'));
  }

  reference(): ProviderReference | undefined {
    const text = this.text();
    if (text === undefined || text === '') return undefined;
    try {
      return asProviderReference(text);
    } catch (error) {
      return this.refuse(messageOf(error));
    }
  }

  timeouts(): CustomTimeouts {
    const found = this.object(Object.keys(noTimeouts));
    const seconds = (key: keyof CustomTimeouts) => found.at(key).number() ?? 0;
    return {
      create: seconds('create'),
      update: seconds('update'),
      delete: seconds('delete'),
      read: seconds('read'),
    };
  }

  properties(): PropertyMap {
    return this.isAbsent
      ? emptyMap
      : this.#opened(() => decodePropertyMap(this.#map(), this.#source.crypter));
  }

  value(): PropertyValue | undefined {
    return this.#json === undefined
      ? undefined
      : this.#opened(() => decodeStateValue(this.#json as Json, this.#source.crypter));
  }

  extensions(): Readonly<Record<string, Extension>> {
    return this.#opened(() => decodeExtensions(this.#map(), this.#source.file));
  }

  #opened<T>(open: () => T): T {
    try {
      return open();
    } catch (error) {
      if (isCairnError(error)) return this.refuse('has secrets that this stack cannot open', [error.message]);
      return this.refuse(messageOf(error));
    }
  }

  refuse(why: string, causes: readonly string[] = []): never {
    const { file } = this.#source;
    const what = this.#path === '' ? 'it' : this.#path;
    return fail('CAIRN-PLAN-INVALID', `${file} is not a plan that can be followed: ${what} ${why}`, {
      source: { file },
      causes,
      hint: 'Make a new plan with `cairn preview --save-plan`.',
    });
  }

  #map(): JsonObject {
    if (this.isAbsent) return {};
    return isJsonObject(this.#json) ? this.#json : this.refuse('is not a map');
  }

  #scalar<T extends string | number | boolean>(kind: string, what: string): T | undefined {
    if (this.isAbsent) return undefined;
    return typeof this.#json === kind ? (this.#json as T) : this.refuse(`is not ${what}`);
  }
}

/** Seals and opens the texts of secrets. The crypters of stacks implement it. */
export interface PlanCrypter {
  encrypt(plaintext: string, identity?: object): string;
  decrypt(ciphertext: string): string;
}
