import { BugError } from '@cairn/diagnostics';
import type { Crypter } from '../world/scenario.js';

/** Text that programs of cut scenarios mark as secret: it must never be in a record. */
export const SECRET = 'hush-hush';

const MARK = 'sealed:';

/** Hides texts from a search for the plain text, without real encryption. */
export const sealing: Crypter = {
  encrypt: (text) => MARK + Buffer.from(text, 'utf8').toString('hex'),
  decrypt: (text) => {
    if (!text.startsWith(MARK)) throw new BugError('a text is opened that was never sealed');
    return Buffer.from(text.slice(MARK.length), 'hex').toString('utf8');
  },
};
