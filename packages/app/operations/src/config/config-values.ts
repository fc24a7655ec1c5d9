import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import {
  coerceText,
  isDeclaredSecret,
  looksLikeSecret,
  parseConfigKey,
  parseConfigPath,
  readStatedType,
  statedTypes,
} from '@cairn/workspace';
import type { ConfigTarget, ConfigTree, Project, StatedType } from '@cairn/workspace';
import type { OpenStackFile } from '../access/stack-file.js';

/**
 * Returns the place in a config that a key names. With `asPath` the key may lead into its value, as in `db.port` or
 * `list[0]`.
 */
export function configTarget(text: string, project: Project, asPath: boolean): ConfigTarget {
  return asPath ? parseConfigPath(text, project.name) : { key: parseConfigKey(text, project.name), path: [] };
}

/**
 * Returns the type of a value that a word states, or `undefined` without a word. Throws CAIRN-USAGE for an unknown
 * word.
 */
export function statedType(word: string | undefined): StatedType | undefined {
  if (word === undefined) return undefined;
  const type = statedTypes.find((each) => each === word);
  if (type !== undefined) return type;
  throw cairnError('CAIRN-USAGE', `--type ${word} is not one of ${statedTypes.join(', ')}`, {
    hint: 'Leave --type out to store the value as a string.',
  });
}

/** One value to be set; a secret one is a text that is still in the clear. */
export interface ParsedConfigValue {
  readonly target: ConfigTarget;
  readonly secret: boolean;
  readonly tree: ConfigTree;
}

/**
 * Refuses to store a value in the clear that the project declares as a secret, even on request [CFG-8]. Throws
 * CAIRN-CONFIG-INVALID.
 */
export function refuseDeclaredSecret(project: Project, target: ConfigTarget, key: string): void {
  if (isDeclaredSecret(project, target)) throw mustBeEncrypted(project, target, key, 'give it with --secret');
}

/** Returns the error for a declared secret that would be stored in the clear. */
export function mustBeEncrypted(
  project: Project,
  target: ConfigTarget,
  key: string,
  hint: string,
): CairnError {
  return cairnError('CAIRN-CONFIG-INVALID', `${key} must be encrypted: the project declares it as a secret`, {
    source: project.config.get(target.key)?.source,
    hint,
  });
}

/** Options of a value that is stored in the clear. */
interface PlainOptions {
  /** Type of the value. Defaults to a guess inside a structure, and to text at the top [CFG-7]. */
  readonly type?: StatedType | undefined;
  /** Accepts the value although it looks like a secret. */
  readonly plaintext?: boolean | undefined;
}

/** Makes a value that is stored in the clear. Throws CAIRN-CONFIG-INVALID for a text that looks like a secret. */
export function plainValue(
  target: ConfigTarget,
  key: string,
  text: string,
  { type, plaintext = false }: PlainOptions = {},
): ParsedConfigValue {
  if (!plaintext && looksLikeSecret(target.key, text))
    throw cairnError(
      'CAIRN-CONFIG-INVALID',
      `the value of ${key} looks like a secret and would be stored in the clear`,
      { hint: 'Add --secret to encrypt it, or --plaintext if it is not a secret.' },
    );
  if (type !== undefined) return { target, secret: false, tree: readStatedType(text, type) };
  return { target, secret: false, tree: target.path.length > 0 ? coerceText(text) : text };
}

/** Returns the error for a missing value. */
export function missingValue({ stack, file }: OpenStackFile, key: string, hint: string): CairnError {
  return cairnError('CAIRN-CONFIG-MISSING', `configuration key '${key}' not found for stack '${stack}'`, {
    source: { file: file.path },
    hint,
  });
}
