import { cairnError } from '@cairn/diagnostics';
import type { Crypter } from '@cairn/crypters';
import {
  coerceText,
  looksLikeSecret,
  parseConfigKey,
  parseConfigPath,
  readStatedType,
  secureText,
  statedTypes,
} from '@cairn/workspace';
import type { ConfigTarget, ConfigTree, Project, StatedType } from '@cairn/workspace';

/** The place in a config that a key names. `asPath`: the key may lead into its value, as in `db.port` or `list[0]`. */
export function configTarget(text: string, project: Project, asPath: boolean): ConfigTarget {
  return asPath ? parseConfigPath(text, project.name) : { key: parseConfigKey(text, project.name), path: [] };
}

/** The type of a value that a word states; undefined without one. Throws CAIRN-USAGE for a word that is none. */
export function statedType(word: string | undefined): StatedType | undefined {
  if (word === undefined) return undefined;
  const type = statedTypes.find((each) => each === word);
  if (type !== undefined) return type;
  throw cairnError('CAIRN-USAGE', `--type ${word} is none of ${statedTypes.join(', ')}`, {
    hint: 'leave --type out to store the value as a string',
  });
}

/**
 * A text as it is stored at a place: of the stated type; else guessed inside a structure and kept as it is at the top
 * [CFG-7].
 */
export function plainTree(text: string, target: ConfigTarget, type: StatedType | undefined): ConfigTree {
  if (type !== undefined) return readStatedType(text, type);
  return target.path.length > 0 ? coerceText(text) : text;
}

/** A secret text as it is stored. */
export function secretTree(text: string, crypter: Crypter): ConfigTree {
  return secureText(text, crypter);
}

/** Throws CAIRN-CONFIG-INVALID when a text that is to be stored in the clear looks like a secret. */
export function refuseSecretLook(target: ConfigTarget, keyText: string, text: string): void {
  if (!looksLikeSecret(target.key, text)) return;
  throw cairnError(
    'CAIRN-CONFIG-INVALID',
    `the value of ${keyText} looks like a secret and would be stored in the clear`,
    { hint: 'add --secret to encrypt it, or --plaintext if it is none' },
  );
}
