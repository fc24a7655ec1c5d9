import type { ConfigAccess } from './inside/config-access.js';
import type { JsonValue } from './values.js';

/** A value of a stack's configuration. */
export interface ConfigValue {
  /** Text that programs receive, with structures as JSON. Undefined for a secret that was not requested. */
  readonly value: string | undefined;
  readonly secret: boolean;
}

/** A value to set: a text, a structure, or either of them as a secret. */
export type GivenConfig = JsonValue | { readonly secret: string };

/** Options for reading a key. */
export interface KeyOptions {
  /** True if the key may be a path into its value, as in `db.port` or `list[0]`. */
  readonly path?: boolean | undefined;
}

/**
 * Configuration of a stack. `name` is a key of the project itself, `namespace:name` one of a provider or package. The
 * stack's secrets manager encrypts secrets before anything is stored.
 */
export class StackConfig {
  readonly #open: ConfigAccess['run'];

  /** @internal */
  constructor(access: ConfigAccess) {
    this.#open = (work) => access.run(work);
  }

  /** Returns one value, decrypted, or undefined if it is not set. */
  async get(key: string, { path = false }: KeyOptions = {}): Promise<ConfigValue | undefined> {
    return this.#open(async (stacks, file) => {
      const { configText } = await import('@cairn/workspace');
      const found = await stacks.configValue(file, key, path).catch((error: unknown) => {
        if (codeOf(error) === 'CAIRN-CONFIG-MISSING') return undefined;
        throw error;
      });
      return (
        found && {
          value: found.value === undefined ? undefined : configText(found.value),
          secret: found.secret,
        }
      );
    });
  }

  /** Returns every value by its full key. Secrets are included only with `showSecrets`. */
  async getAll({ showSecrets = false }: { readonly showSecrets?: boolean | undefined } = {}): Promise<
    Readonly<Record<string, ConfigValue>>
  > {
    return this.#open(async (stacks, file) => {
      const { configText } = await import('@cairn/workspace');
      const values = await stacks.configValues(file, { showSecrets });
      return Object.fromEntries(
        [...values].map(([key, { value, secret }]) => {
          return [key, { value: value === undefined ? undefined : configText(value), secret }];
        }),
      );
    });
  }

  /** Sets one value. Throws CAIRN-CONFIG-INVALID for a text that looks like a secret and is not marked as one. */
  async set(key: string, value: GivenConfig, options: KeyOptions = {}): Promise<void> {
    await this.setAll({ [key]: value }, options);
  }

  /** Sets either all of the values or none. */
  async setAll(
    values: Readonly<Record<string, GivenConfig>>,
    { path = false }: KeyOptions = {},
  ): Promise<void> {
    await this.#open(async (stacks, file) => {
      const { isDeclaredSecret, treeOfJson } = await import('@cairn/workspace');
      const given = Object.entries(values).map(([key, value]) => {
        const target = stacks.configTarget(key, file.project, path);
        if (isSecret(value)) return { target, secret: true, tree: value.secret };
        if (typeof value !== 'object' && isDeclaredSecret(file.project, target))
          return { target, secret: true, tree: String(value) };
        return typeof value === 'object' && value !== null
          ? { target, secret: false, tree: treeOfJson(value) }
          : stacks.plainValue(target, key, String(value));
      });
      await stacks.setConfigValues(file, given);
    });
  }

  /** Removes values and skips those that are not set. */
  async remove(...keys: readonly string[]): Promise<void> {
    await this.#open((stacks, file) => stacks.removeConfigValues(file, keys));
  }
}

function isSecret(value: GivenConfig): value is { readonly secret: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === 1 &&
    typeof (value as { readonly secret?: unknown }).secret === 'string'
  );
}

function codeOf(error: unknown): string | undefined {
  return (error as { readonly diagnostics?: readonly { readonly code: string }[] }).diagnostics?.[0]?.code;
}
