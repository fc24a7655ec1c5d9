import type { Crypter } from '@cairn/crypters';
import type { ConfigByKey, ConfigTree, SecureText } from './config-tree.js';
import { decryptValue } from './decrypt-value.js';
import { hasSecure, mapSecrets, programText } from './config-tree.js';

/** Config that a program receives [CFG-9]: every value as decrypted text, and the sorted keys of secrets. */
export interface ProgramConfig {
  readonly values: ReadonlyMap<string, string>;
  readonly secretKeys: readonly string[];
  /** Plain texts of all secrets, including those inside structures; they must be masked in messages. */
  readonly secretTexts: readonly string[];
}

/** Returns the config for a program. `crypter` is called only if there are secrets. */
export async function programConfig(
  config: ConfigByKey,
  crypter: () => Promise<Crypter>,
): Promise<ProgramConfig> {
  const secretKeys = [...config]
    .filter(([, tree]) => hasSecure(tree))
    .map(([key]) => key)
    .sort();
  const unlocked = secretKeys.length === 0 ? undefined : await crypter();
  const secretTexts: string[] = [];
  const textOf = (key: string, tree: ConfigTree): string =>
    programText(
      mapSecrets(tree, (ciphertext) => {
        const text = unlocked === undefined ? ciphertext : decryptValue(key, ciphertext, unlocked);
        secretTexts.push(text);
        const inJson = programText([text]).slice(2, -2);
        if (/[<>&]/.test(text)) secretTexts.push(inJson);
        return text;
      }),
    );
  const values = new Map([...config].map(([key, tree]) => [key, textOf(key, tree)] as const));
  return { values, secretKeys, secretTexts };
}

/** Encrypts a text as a secret of the config: the raw text, not its JSON [SEC-2]. */
export function secureText(text: string, crypter: Crypter): SecureText {
  return { secure: crypter.encrypt(text) };
}

/** Reencrypts every secret of the config with another crypter, for another manager or another stack. */
export function recryptConfig(config: ConfigByKey, from: Crypter, to: Crypter): ConfigByKey {
  const recrypt = (ciphertext: string): ConfigTree => secureText(from.decrypt(ciphertext), to);
  return new Map([...config].map(([key, tree]) => [key, mapSecrets(tree, recrypt)] as const));
}
