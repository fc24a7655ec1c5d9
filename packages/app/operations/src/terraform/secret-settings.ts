import type { SecretSettings } from '@cairn/codegen';
import { configText, shortConfigKey } from '@cairn/workspace';
import type { OpenStackFile } from '../access/stack-file.js';
import { setConfigValues } from '../config/config-edits.js';
import { configTarget } from '../config/config-values.js';
import { configValue, configValues } from '../config/read-config.js';

/** Secrets of a program on their way to the configuration of its stack. */
interface SettingsOfProgram {
  /** Returns the key of a secret for a program that is being written. */
  readonly settings: SecretSettings;
  /** Seals and stores the secrets that were requested and are missing. Resolves with their keys. */
  readonly store: () => Promise<readonly string[]>;
}

/**
 * Assigns keys of a stack's configuration to secrets. Each gets its preferred key, followed by a number if that key has
 * another value. A secret that the configuration already has under such a key remains as it is.
 */
export async function secretSettings(stack: OpenStackFile): Promise<SettingsOfProgram> {
  const taken = await takenKeys(stack);
  const wanted = new Map<string, string>();
  const given = new Set<string>();
  const isFree = (key: string, text: string): boolean =>
    !given.has(key) && (!taken.has(key) || taken.get(key) === text);
  return {
    settings: (wish, text) => {
      let key = wish;
      for (let count = 2; !isFree(key, text); count += 1) key = `${wish}${count}`;
      given.add(key);
      if (!taken.has(key)) wanted.set(key, text);
      return key;
    },
    store: async () => {
      const keys = [...wanted.keys()];
      const values = keys.map((key) => ({
        target: configTarget(key, stack.project, false),
        secret: true,
        tree: wanted.get(key) as string,
      }));
      if (values.length > 0) await setConfigValues(stack, values);
      return keys;
    },
  };
}

/** Returns the keys in the namespace of the project with their secrets; `undefined` for a value in the clear. */
async function takenKeys(stack: OpenStackFile): Promise<ReadonlyMap<string, string | undefined>> {
  const { name } = stack.project;
  const taken = new Map<string, string | undefined>();
  for (const [key, { secret }] of await configValues(stack)) {
    if (!key.startsWith(`${name}:`)) continue;
    const value = secret ? (await configValue(stack, key)).value : undefined;
    taken.set(shortConfigKey(key, name), value === undefined ? undefined : configText(value));
  }
  return taken;
}
