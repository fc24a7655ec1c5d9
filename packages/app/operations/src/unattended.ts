import { cairnError } from '@cairn/diagnostics';
import type { Interaction } from './interaction.js';

/** An interaction without a person: asks, reports and shows nothing. To be spread, with members of the caller's own. */
export const unattended: Interaction = {
  attended: false,
  newPassphrase: () =>
    Promise.reject(
      cairnError('CAIRN-PASSPHRASE-MISSING', 'no new passphrase was given', {
        hint: 'Pass one where the secrets provider is changed.',
      }),
    ),
  confirm: () => Promise.resolve(false),
  chooseForUnfinished: () => Promise.resolve('cancel'),
  answerDoubts: () => Promise.resolve(new Map()),
  tell: () => undefined,
  notice: () => undefined,
  pass: () => ({ event: () => undefined }),
};
