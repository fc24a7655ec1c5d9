import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cairnError, fail } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { Crypter } from '../crypter.js';
import { lockedCrypter } from '../plain-crypters.js';
import type { SecretsManager, UnlockSources } from '../secrets-manager.js';
import { symmetricCrypter } from '../symmetric.js';
import type { RandomBytes } from '../symmetric.js';
import { ASK_AT_MOST, askNewPassphrase } from './ask-new-passphrase.js';
import { deriveKey } from './derive-key.js';
import { isVerified, makeSaltState, parseSaltState, saltStateJson } from './salt-state.js';
import type { SaltState } from './salt-state.js';

const SALT_BYTES = 8;

/**
 * Effect of a wrong passphrase. With `lock`, the crypter fails at each use (state); with `reject`, opening fails at
 * once (config).
 */
type OnWrongPassphrase = 'lock' | 'reject';

/**
 * Returns the passphrase manager of a salt state string [SEC-3]. A malformed string fails immediately. The first
 * request for the crypter asks for the passphrase and derives its key.
 */
export function passphraseManager(
  saltState: string,
  sources: UnlockSources,
  onWrong: OnWrongPassphrase,
): SecretsManager {
  const parsed = parseSaltState(saltState);
  let unlocking: Promise<Crypter> | undefined;
  return {
    type: 'passphrase',
    state: saltStateJson(parsed.text),
    crypter: () => (unlocking ??= unlock(parsed, sources, onWrong)),
  };
}

/**
 * Creates a manager with a new salt, for a new stack or a rotation. At a prompt, the user enters the passphrase twice,
 * until both agree; a passphrase from `sources.env` is not confirmed. Resolves when the key is derived, so that `state`
 * contains the new verifier.
 */
export async function createPassphraseManager(
  sources: UnlockSources,
  random: RandomBytes = randomBytes,
): Promise<SecretsManager> {
  const passphrase = await choosePassphrase(passphraseSource(sources));
  const salt = random(SALT_BYTES);
  const crypter = symmetricCrypter(await deriveKey(passphrase, salt), random);
  return {
    type: 'passphrase',
    state: saltStateJson(makeSaltState(salt, crypter)),
    crypter: async () => crypter,
  };
}

async function unlock(
  state: SaltState,
  sources: UnlockSources,
  onWrong: OnWrongPassphrase,
): Promise<Crypter> {
  const source = passphraseSource(sources);
  const tries = source.kind === 'prompt' ? ASK_AT_MOST : 1;
  for (let tried = 0; tried < tries; tried++) {
    const crypter = symmetricCrypter(await deriveKey(await nextPassphrase(source, tried), state.salt));
    if (isVerified(state, crypter)) return crypter;
  }
  if (onWrong === 'lock') return lockedCrypter(wrongPassphrase);
  throw wrongPassphrase();
}

async function nextPassphrase(source: PassphraseSource, tried: number): Promise<string> {
  if (source.kind === 'fixed') return source.passphrase;
  const message = 'Enter your passphrase to unlock config/secrets';
  return source.ask(tried === 0 ? message : `Incorrect passphrase. ${message}`);
}

async function choosePassphrase(source: PassphraseSource): Promise<string> {
  if (source.kind === 'fixed') return source.passphrase;
  return askNewPassphrase(source.ask, {
    first: 'Enter your passphrase to protect config/secrets',
    again: 'Re-enter your passphrase to confirm',
    failed: 'cannot protect secrets',
  });
}

function wrongPassphrase(): CairnError {
  return cairnError('CAIRN-PASSPHRASE-WRONG', 'cannot use secrets: incorrect passphrase', {
    hint: 'Set PULUMI_CONFIG_PASSPHRASE or CAIRN_CONFIG_PASSPHRASE to the passphrase that this stack was created with.',
  });
}

/** Source of a passphrase: a fixed text, or a prompt that is repeated after a wrong answer. */
type PassphraseSource =
  | { readonly kind: 'fixed'; readonly passphrase: string }
  | { readonly kind: 'prompt'; readonly ask: (message: string) => Promise<string> };

const FROM =
  'Set CAIRN_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE to the passphrase of this stack, or one of them with _FILE to a file that contains it.';

/**
 * Finds the passphrase in the order of [SEC-4], `CAIRN_` before `PULUMI_`. The variable comes first (if set, even to
 * the empty text, and not trimmed), then the file (trimmed), then the prompt. Fails with `CAIRN-PASSPHRASE-MISSING` if
 * there is none of them.
 */
function passphraseSource({ env, prompt }: UnlockSources): PassphraseSource {
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
