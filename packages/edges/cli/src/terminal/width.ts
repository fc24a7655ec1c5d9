import type widthOf from 'string-width';

const ASCII = /^[\x20-\x7e]*$/;

/**
 * Returns the number of columns that a text takes on a terminal. `string-width` compiles large expressions when it is
 * loaded; it is loaded with the first text that needs it.
 */
export function stringWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  return (require('string-width') as { readonly default: typeof widthOf }).default(text);
}
