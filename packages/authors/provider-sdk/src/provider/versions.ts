import { fromPlainMap, newMap, toPlainMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { StateMigration } from '../definition.js';
import type { ShapeSpec } from '../schema/property.js';
import { markSecrets } from '../schema/secrets.js';

/** Key of the version of stored properties. It is stored with the provider's data. */
export const VERSION_KEY = '__schemaVersion';

/** Reads properties that earlier versions of a resource type have stored. */
export class Versions {
  readonly #type: string;
  readonly #migrations: readonly StateMigration[];

  constructor(type: string, migrations: readonly StateMigration[]) {
    this.#type = type;
    this.#migrations = migrations;
  }

  /** Returns the map in its stored form: with its version, if there have been several. */
  stamped(map: PropertyMap): PropertyMap {
    return this.#migrations.length === 0 ? map : { ...map, [VERSION_KEY]: this.#migrations.length };
  }

  /** Returns stored inputs in the form of the newest version. */
  inputs(stored: PropertyMap, shape: ShapeSpec): PropertyMap {
    return this.#brought(stored, shape, (step, old) => step.inputs?.(old) ?? old);
  }

  /** Returns stored outputs in the form of the newest version. */
  outputs(stored: PropertyMap, shape: ShapeSpec): PropertyMap {
    return this.#brought(stored, shape, (step, old) => step.outputs?.(old) ?? old);
  }

  #brought(
    stored: PropertyMap,
    shape: ShapeSpec,
    carry: (
      step: StateMigration,
      old: Readonly<Record<string, unknown>>,
    ) => Readonly<Record<string, unknown>>,
  ): PropertyMap {
    const version = Number(stored[VERSION_KEY] ?? 0);
    const newest = this.#migrations.length;
    if (version > newest) {
      throw new ProviderError(
        'FAILED_PRECONDITION',
        `${this.#type} was stored by a newer version of the provider: its properties are of version ${version}, ` +
          `this one knows ${newest}; install the newer provider`,
      );
    }
    if (version === newest) return stored;
    const [own, kept] = [newMap(), newMap()];
    for (const [key, value] of Object.entries(stored)) (key.startsWith('__') ? kept : own)[key] = value;
    const values = this.#migrations.slice(version).reduce((old, step) => carry(step, old), toPlainMap(own));
    return { ...markSecrets(fromPlainMap(values), shape, own), ...kept, [VERSION_KEY]: newest };
  }
}
