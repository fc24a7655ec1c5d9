import type { AgentStack } from './agent-config.js';

/** Returns the name of the review stack of a pull request. */
export const reviewName = (stack: string, number: number): string => `${stack}.pr-${number}`;

/** Returns the settings of a stack of a file, or of a review stack of one. `undefined` if the file has none such. */
export function stackNamed(stacks: readonly AgentStack[], name: string): AgentStack | undefined {
  return byName(stacks).get(name) ?? reviewStackOf(stacks, name);
}

/** Stacks of files by name: a look for one reads no others. */
const known = new WeakMap<readonly AgentStack[], ReadonlyMap<string, AgentStack>>();

function byName(stacks: readonly AgentStack[]): ReadonlyMap<string, AgentStack> {
  const named = known.get(stacks) ?? new Map(stacks.map((stack) => [stack.name, stack]));
  known.set(stacks, named);
  return named;
}

/**
 * Returns the settings of a review stack from those of the stack that it copies, or `undefined` if the name is that of
 * no review stack. It has no schedules, and its end needs no approval.
 */
function reviewStackOf(stacks: readonly AgentStack[], name: string): AgentStack | undefined {
  const [, parentName = '', number] = /^(.+)\.pr-(\d+)$/.exec(name) ?? [];
  const parent = byName(stacks).get(parentName);
  if (parent?.pulls?.review !== true) return undefined;
  return {
    ...parent,
    name,
    stack: `${parent.stack}-pr-${number}`,
    copies: parent.stack,
    onCommit: 'nothing',
    up: undefined,
    drift: undefined,
    timeToLive: undefined,
    after: [],
  };
}
