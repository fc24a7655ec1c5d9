import { Name } from '@cairn/http-api';
import * as v from 'valibot';
import { Refusal } from '../refusal.js';
import type { SealedSettings } from './deployment.js';

/** Most stacks that settings name. */
const MOST = 100;

/** Stack of the organization of the stack whose settings name it. */
interface NamedStack {
  readonly project: string;
  readonly stack: string;
}

/**
 * Member of `cairn` that names stacks: `reads` those that runs may read, `after` those whose updates come first.
 */
type NamingMember = 'reads' | 'after';

/** Returns the stacks that a member of `cairn` in settings names. Refuses other texts and patterns. */
export function namedStacks(settings: SealedSettings, member: NamingMember): readonly NamedStack[] {
  const own = settings['cairn'];
  const names = typeof own === 'object' && own !== null ? (own as SealedSettings)[member] : undefined;
  if (names === undefined || names === null) return [];
  if (!Array.isArray(names) || names.length > MOST)
    throw new Refusal(400, `cairn.${member}: is no list of at most ${MOST} stacks.`);
  return names.map((text: unknown): NamedStack => {
    const [project, stack, more] = typeof text === 'string' ? text.split('/') : [];
    if (more !== undefined || !v.is(Name, project) || !v.is(Name, stack))
      throw new Refusal(400, `cairn.${member}: ${JSON.stringify(text)} is no PROJECT/STACK.`);
    return { project, stack };
  });
}

/** Returns the stacks of one list that are in another one too. */
export function commonStacks(
  some: readonly NamedStack[],
  others: readonly NamedStack[],
): readonly NamedStack[] {
  return some.filter(({ project, stack }) =>
    others.some((other) => other.project === project && other.stack === stack),
  );
}
