import { s } from '@cairn/provider-sdk';

/** Free values. A change of any of them requires a new random value. */
export const keepers = s
  .map(s.any())
  .optional()
  .replaceOnChange()
  .describe('Arbitrary values. When one changes, a new value is drawn.');

/** The id of resources whose value must not be shown. */
export const HIDDEN_ID = 'none';
