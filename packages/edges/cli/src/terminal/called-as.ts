import { COMPATIBLE_VERSION } from '@cairn/wire/compatible-version';
import type { CommandContext } from '../command-context.js';

/** Name that scripts and libraries made for the other tool look for. */
export const ALIAS = 'pulumi';

/** Tells whether this command runs under the name of the other tool (`cairn alias`). */
export function isAlias(context: Pick<CommandContext, 'self'>): boolean {
  return context.self.calledAs === ALIAS;
}

/**
 * Returns the version that the alias reports. It begins with the release whose behaviour Cairn has, for comparisons,
 * and ends with Cairn's own version.
 */
export function aliasVersion(own: string): string {
  return `${COMPATIBLE_VERSION}+cairn.${own}`;
}
