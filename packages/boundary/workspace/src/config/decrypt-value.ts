import type { Crypter } from '@cairn/crypters';
import { CairnError, errorDiagnostic, isCairnError, messageOf } from '@cairn/diagnostics';

/**
 * Decrypts one secret of the config. If that fails, the error names the key and has the crypter's message as its cause.
 * Code and hint are the crypter's if it has any, else `CAIRN-SECRETS-MALFORMED`.
 */
export function decryptValue(key: string, ciphertext: string, crypter: Crypter): string {
  try {
    return crypter.decrypt(ciphertext);
  } catch (error) {
    const own = isCairnError(error) ? error.diagnostics[0] : undefined;
    const { code, causes = [], hint } = own ?? {};
    const named = errorDiagnostic('CAIRN-SECRETS-MALFORMED', `cannot decrypt the config value "${key}"`, {
      causes: [own?.summary ?? messageOf(error), ...causes],
      hint: hint ?? `Set it again with \`cairn config set --secret ${key}\`.`,
    });
    throw new CairnError([code === undefined ? named : { ...named, code }], { cause: error });
  }
}
