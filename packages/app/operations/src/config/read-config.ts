import type { Crypter } from '@cairn/crypters';
import { isCairnError } from '@cairn/diagnostics';
import { applyProjectDefaults, decryptTree, getConfig, hasSecure, mapSecrets } from '@cairn/workspace';
import type { ConfigTree, Project } from '@cairn/workspace';
import type { OpenStackFile } from '../access/stack-file.js';
import { configTarget, missingValue } from './config-values.js';
import { sealedForStack } from './project-config.js';

/** A value of a configuration. */
export interface OpenedConfigValue {
  /** Stored form: secrets are sealed. */
  readonly stored: ConfigTree;
  /** True if it is a secret, or contains one. */
  readonly secret: boolean;
  /**
   * Value for programs. `undefined` if secrets stay sealed, or if they are `unreadable`, because they can no longer be
   * opened.
   */
  readonly value: ConfigTree | undefined;
  readonly unreadable?: true;
}

/**
 * Returns the configuration of a stack with the defaults of its project, by full key and sorted by it. Opens secrets if
 * they are to be shown.
 */
export async function configValues(
  { ports, project: plain, file, secrets }: OpenStackFile,
  { showSecrets = false }: { readonly showSecrets?: boolean } = {},
): Promise<ReadonlyMap<string, OpenedConfigValue>> {
  const listed = (project: Project): readonly (readonly [string, ConfigTree])[] =>
    [...applyProjectDefaults(project, file.settings.config)].sort(([a], [b]) => (a < b ? -1 : 1));
  const opens = showSecrets && listed(plain).some(([, tree]) => hasSecure(tree));
  const unlock = unlockedOnce(secrets);
  const config = listed(opens ? await sealedForStack(ports, plain, unlock) : plain);
  if (opens) ports.interaction.notice({ t: 'secrets-shown' });
  const crypter = opens ? await unlock() : undefined;
  const opened = (key: string, stored: ConfigTree): OpenedConfigValue => {
    if (!hasSecure(stored)) return { stored, secret: false, value: stored };
    return { stored, secret: true, value: crypter && decryptTree(key, stored, crypter) };
  };
  return new Map(config.map(([key, stored]) => [key, opened(key, stored)]));
}

/** Returns one value with its secrets opened. `asPath`: see {@link configTarget}. Throws CAIRN-CONFIG-MISSING. */
export async function configValue(
  stack: OpenStackFile,
  key: string,
  asPath = false,
): Promise<OpenedConfigValue> {
  const { ports, project, file } = stack;
  const target = configTarget(key, project, asPath);
  const at = (of: Project): ConfigTree | undefined =>
    getConfig(applyProjectDefaults(of, file.settings.config), target);
  const plain = at(project);
  const unlock = unlockedOnce(stack.secrets);
  const stored =
    plain !== undefined && hasSecure(plain) ? at(await sealedForStack(ports, project, unlock)) : plain;
  if (stored === undefined)
    throw missingValue(stack, key, `Set it with \`cairn config set ${key} <value>\`.`);
  const secret = hasSecure(stored);
  const value = secret ? decryptTree(key, stored, await unlock()) : stored;
  return { stored, secret, value };
}

/** Unlocks secrets once: a crypter of a state service opens what it has sealed itself, and no other one does. */
function unlockedOnce(secrets: OpenStackFile['secrets']): () => Promise<Crypter> {
  let unlocked: Promise<Crypter> | undefined;
  return () => (unlocked ??= secrets().then(({ crypter }) => crypter));
}

/** Returns a value from the configuration of an earlier operation, whose secrets another key may have sealed. */
export function recordedValue(
  stored: ConfigTree,
  decrypt: ((ciphertext: string) => string) | undefined,
): OpenedConfigValue {
  const secret = hasSecure(stored);
  if (!secret) return { stored, secret, value: stored };
  if (decrypt === undefined) return { stored, secret, value: undefined };
  try {
    return { stored, secret, value: mapSecrets(stored, decrypt) };
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { stored, secret, value: undefined, unreadable: true };
  }
}
