import type { AgentStack } from './agent-config.js';

/** Returns the name of the review stack of a pull request. */
export const reviewName = (stack: string, number: number): string => `${stack}.pr-${number}`;

/**
 * Returns the settings of a review stack from those of the stack that it copies, or `undefined` if the name is that of
 * no review stack. It has no schedules, and its end needs no approval.
 */
export function reviewStackOf(stacks: readonly AgentStack[], name: string): AgentStack | undefined {
  const [, parentName, number] = /^(.+)\.pr-(\d+)$/.exec(name) ?? [];
  const parent = stacks.find((stack) => stack.name === parentName);
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
