import type { AgentStack } from '../config/agent-config.js';

/** Stack as pull requests see it. */
export type PullStack = Pick<AgentStack, 'name' | 'source' | 'pulls'>;

/**
 * Returns the stacks that a pull request touches: it changes a file of their folder, and is to be merged into their
 * branch on their forge.
 */
export function touchedStacks(
  stacks: readonly PullStack[],
  forge: string,
  base: string,
  files: readonly string[],
): readonly PullStack[] {
  return stacks.filter(({ pulls, source }) => {
    if (pulls?.forge !== forge || source.t !== 'git' || source.ref !== `refs/heads/${base}`) return false;
    const { folder } = source;
    return folder === '.' ? files.length > 0 : files.some((file) => file.startsWith(`${folder}/`));
  });
}
