import { fail } from '@cairn/diagnostics';

/** Answers to one prompt are asked for so often. */
export const ASK_AT_MOST = 3;

const EMPTY = 'An empty passphrase protects nothing. Type "empty" to use it anyway';

/** Texts around a new passphrase: both prompts, and the beginning of the error. */
interface NewPassphraseTexts {
  readonly first: string;
  readonly again: string;
  readonly failed: string;
}

/**
 * Asks for a new passphrase until it is typed twice. An empty one must be confirmed by the word "empty" [SEC-4]. Fails
 * with CAIRN-PASSPHRASE-MISSING after three attempts.
 */
export async function askNewPassphrase(
  ask: (message: string) => Promise<string>,
  { first, again, failed }: NewPassphraseTexts,
): Promise<string> {
  let isSame = true;
  for (let tried = 0; tried < ASK_AT_MOST; tried++) {
    const why = isSame ? 'The passphrase is empty. ' : 'The passphrases differ. ';
    const typed = await ask(tried === 0 ? first : `${why}${first}`);
    isSame = typed === (await ask(again));
    if (isSame && (typed !== '' || (await ask(EMPTY)) === 'empty')) return typed;
  }
  const cause = isSame ? 'the passphrase is empty' : 'the two passphrases differ';
  return fail('CAIRN-PASSPHRASE-MISSING', `${failed}: ${cause}`, {
    hint: 'Run the command again and type the same passphrase twice.',
  });
}
