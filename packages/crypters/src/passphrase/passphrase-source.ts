import { readFileSync } from 'node:fs';
import { fail } from '@cairn/diagnostics';
import type { UnlockSources } from '../secrets-manager.js';

/** Where a passphrase comes from: it is fixed, or the user can be asked, again when it was wrong. */
export type PassphraseSource =
  | { readonly kind: 'fixed'; readonly passphrase: string }
  | { readonly kind: 'prompt'; readonly ask: (message: string) => Promise<string> };

const FROM =
  'Set CAIRN_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE to the passphrase of this stack, or one of them with _FILE to a file that holds it.';

/**
 * The order of [SEC-4], `CAIRN_` before `PULUMI_`: the variable (set, even to the empty text, and not trimmed), then
 * the file (trimmed), then the prompt. Fails with `CAIRN-PASSPHRASE-MISSING` when there is none of them.
 */
export function passphraseSource({ env, prompt }: UnlockSources): PassphraseSource {
  const passphrase = env['CAIRN_CONFIG_PASSPHRASE'] ?? env['PULUMI_CONFIG_PASSPHRASE'];
  if (passphrase !== undefined) return { kind: 'fixed', passphrase };
  const file = env['CAIRN_CONFIG_PASSPHRASE_FILE'] || env['PULUMI_CONFIG_PASSPHRASE_FILE'];
  if (file !== undefined && file !== '') return { kind: 'fixed', passphrase: readPassphraseFile(file) };
  if (prompt !== undefined) return { kind: 'prompt', ask: prompt };
  return fail('CAIRN-PASSPHRASE-MISSING', 'cannot use secrets: no passphrase was given', { hint: FROM });
}

function readPassphraseFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (thrown) {
    return fail(
      'CAIRN-PASSPHRASE-MISSING',
      `cannot read the passphrase file ${path}`,
      { causes: [thrown instanceof Error ? thrown.message : String(thrown)], hint: FROM },
      thrown,
    );
  }
}
