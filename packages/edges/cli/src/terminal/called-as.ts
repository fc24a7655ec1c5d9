import { COMPATIBLE_VERSION } from '@cairn/wire';
import type { World } from '../world.js';

/** The name that scripts and libraries made for the other tool look for. */
export const ALIAS = 'pulumi';

/** Whether this command runs under the name of the other tool (`cairn alias`). */
export function isAlias(world: Pick<World, 'self'>): boolean {
  return world.self.calledAs === ALIAS;
}

/**
 * What the alias answers when it is asked for its version: that of the release whose behaviour ours is, as askers
 * compare it, and behind it our own.
 */
export function aliasVersion(own: string): string {
  return `${COMPATIBLE_VERSION}+cairn.${own}`;
}
