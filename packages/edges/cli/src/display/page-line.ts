import type { StackFlags } from '../flags/operation.js';

/**
 * Returns the line with the address of the page of an operation [AGT-24], in the words by which programs find it in the
 * output of the other tool. Empty if there is none, or if it is not wanted.
 */
export function pageLine(page: string | undefined, { suppressPermalink }: StackFlags): string {
  return page === undefined || suppressPermalink === true ? '' : `View Live: ${page}\n`;
}
