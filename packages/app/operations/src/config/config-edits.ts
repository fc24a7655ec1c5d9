import { copyFile } from 'node:fs/promises';
import type { Crypter } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import {
  getConfig,
  hasSecure,
  isDeclaredSecret,
  recryptConfig,
  removeConfig,
  saveStackFile,
  secureText,
  setConfig,
  shortConfigKey,
  treeOfStored,
} from '@cairn/workspace';
import type { ConfigByKey, ConfigTarget, ConfigTree } from '@cairn/workspace';
import { withStack } from '../access/open-stack.js';
import type { StackChoice } from '../access/stack-choice.js';
import { openStackFile, openStackFileOf } from '../access/stack-file.js';
import type { OpenStackFile } from '../access/stack-file.js';
import { stackHere } from '../access/stack-reference.js';
import type { Ports } from '../ports.js';
import { configTarget, missingValue, mustBeEncrypted } from './config-values.js';
import type { ParsedConfigValue } from './config-values.js';

/**
 * Sets values, all of them or none. The stack's manager seals secrets, and values that the project declares as secret
 * [CFG-8]. Throws CAIRN-CONFIG-INVALID for a structure that would have to be sealed.
 */
export async function setConfigValues(
  stack: OpenStackFile,
  values: readonly ParsedConfigValue[],
): Promise<void> {
  const isSealed = ({ target, secret }: ParsedConfigValue): boolean =>
    secret || isDeclaredSecret(stack.project, target);
  const opened = values.some(isSealed) ? await stack.secrets() : undefined;
  const stored = values.map((given) => ({
    target: given.target,
    tree: isSealed(given) && opened !== undefined ? sealed(given, stack, opened.crypter) : given.tree,
  }));
  await saveStackFile(opened?.file ?? stack.file, ({ settings: { config } }) => ({
    config: stored.reduce((all, { target, tree }) => setConfig(all, target, tree), config),
  }));
}

function sealed(
  { target, tree }: ParsedConfigValue,
  { project }: OpenStackFile,
  crypter: Crypter,
): ConfigTree {
  if (typeof tree !== 'object') return secureText(String(tree), crypter);
  if (hasSecure(tree)) return tree;
  const key = shortConfigKey(target.key, project.name);
  throw mustBeEncrypted(project, target, key, 'set its parts one by one with `--path --secret`');
}

/** Removes values. Resolves with the keys that were not set, which is not an error. */
export async function removeConfigValues(
  { file, project }: OpenStackFile,
  keys: readonly string[],
  asPath = false,
): Promise<readonly string[]> {
  const targets = keys.map((key) => ({ key, target: configTarget(key, project, asPath) }));
  const missing: string[] = [];
  await saveStackFile(file, ({ settings }) => {
    let { config } = settings;
    for (const { key, target } of targets) {
      const left = removeConfig(config, target);
      if (left === undefined) missing.push(key);
      else config = left;
    }
    return config === settings.config ? undefined : { config };
  });
  return missing;
}

/** Values to copy, and their target. */
interface CopyOptions {
  /** Another stack of the project. */
  readonly dest: string;
  /** Key of the value to copy. Defaults to all values. */
  readonly key?: string | undefined;
  readonly asPath?: boolean | undefined;
}

/**
 * Copies values to another stack, whose own manager seals the secrets. Throws CAIRN-USAGE when it is the same stack,
 * CAIRN-CONFIG-MISSING when there is no such value.
 */
export async function copyConfig(
  ports: Ports,
  choice: StackChoice,
  { dest, key, asPath = false }: CopyOptions,
): Promise<void> {
  const from = await openStackFile(ports, choice);
  const into = stackHere(ports, dest, from.project.name);
  if (into.stack === from.stack) {
    throw cairnError('CAIRN-USAGE', `stack ${into.stack} cannot be copied onto itself`, {
      hint: 'Pass another stack as --dest.',
    });
  }
  const { backendUrl, skipIntegrity } = choice;
  const to = await openStackFileOf(ports, { backendUrl, skipIntegrity }, from.project, into);
  const target = key === undefined ? undefined : configTarget(key, from.project, asPath);
  await copyValues(from, to, target, key);
}

async function copyValues(
  from: OpenStackFile,
  to: OpenStackFile,
  target: ConfigTarget | undefined,
  key = '',
): Promise<void> {
  const values = target === undefined ? from.file.settings.config : only(from, target, key);
  const secret = [...values.values()].some(hasSecure);
  const opened = secret ? await to.secrets() : undefined;
  const moved =
    opened === undefined ? values : recryptConfig(values, (await from.secrets()).crypter, opened.crypter);
  await saveStackFile(opened?.file ?? to.file, ({ settings: { config } }) => ({
    config: [...moved].reduce(
      (all, [at, tree]) => setConfig(all, target ?? { key: at, path: [] }, tree),
      config,
    ),
  }));
}

/** Returns the value at a place, under its key. */
function only(stack: OpenStackFile, target: ConfigTarget, key: string): ConfigByKey {
  const tree = getConfig(stack.file.settings.config, target);
  if (tree !== undefined) return new Map([[target.key, tree]]);
  throw missingValue(stack, key, 'list the keys with `cairn config`');
}

/** Result of a refresh of the configuration. */
interface RefreshedConfig {
  readonly file: string;
  /** Kind of the operation that used it. */
  readonly kind: string;
}

/**
 * Writes the configuration of the latest operation into the stack's file. Keeps a copy of the file unless `keep` is
 * false. Throws CAIRN-CONFIG-MISSING when there was no operation.
 */
export async function refreshConfig(
  ports: Ports,
  choice: StackChoice,
  { keep = true }: { readonly keep?: boolean } = {},
): Promise<RefreshedConfig> {
  const { stack, file } = await openStackFile(ports, choice);
  const [latest] = await withStack(ports, choice, ({ backend, id }) =>
    backend.history(id, { page: 1, size: 1 }),
  );
  if (latest === undefined) {
    throw cairnError('CAIRN-CONFIG-MISSING', `stack ${stack} has not been updated yet`, {
      hint: 'Run `cairn up` first: it records the configuration.',
    });
  }
  const config = new Map(Object.entries(latest.config).map(([key, value]) => [key, treeOfStored(value)]));
  if (keep && file.text !== undefined) {
    const kept = `${file.path}.bak`;
    await copyFile(file.path, kept);
    ports.interaction.notice({ t: 'stack-file-kept', file: kept });
  }
  await saveStackFile(file, () => ({ config }));
  return { file: file.path, kind: latest.kind };
}
