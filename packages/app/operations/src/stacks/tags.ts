import { cairnError } from '@cairn/diagnostics';
import type { StackTags } from '@cairn/backends';
import type { OpenStack } from '../access/open-stack.js';

const NAME = /^[A-Za-z0-9_.:-]{1,40}$/;
const LONGEST = 256;

type TaggedStack = Pick<OpenStack, 'backend' | 'id'>;

/** Returns the value of a tag. Throws CAIRN-USAGE when the stack has no such tag. */
export async function tagOf({ backend, id }: TaggedStack, name: string): Promise<string> {
  return valueOf(await backend.tags(id), name);
}

/** Sets a tag. Throws CAIRN-USAGE for one that cannot be stored. */
export async function setTag({ backend, id }: TaggedStack, name: string, value: string): Promise<void> {
  checkTag(name, value);
  await backend.editTags(id, (tags) => ({ ...tags, [name]: value }));
}

/** Removes a tag. Throws CAIRN-USAGE when the stack has no such tag. */
export async function removeTag({ backend, id }: TaggedStack, name: string): Promise<void> {
  await backend.editTags(id, (tags) => {
    valueOf(tags, name);
    return Object.fromEntries(Object.entries(tags).filter(([each]) => each !== name));
  });
}

/** Checks that a tag can be stored. Throws CAIRN-USAGE otherwise. */
export function checkTag(name: string, value: string): void {
  if (!NAME.test(name)) {
    throw cairnError('CAIRN-USAGE', `${JSON.stringify(name)} is not a valid name of a tag`, {
      hint: 'Use 1 to 40 letters, digits, "_", ".", ":" or "-".',
    });
  }
  if (value.length > LONGEST)
    throw cairnError('CAIRN-USAGE', `the value of tag "${name}" has more than ${LONGEST} characters`);
}

function valueOf(tags: StackTags, name: string): string {
  const value = Object.hasOwn(tags, name) ? tags[name] : undefined;
  if (value !== undefined) return value;
  throw cairnError('CAIRN-USAGE', `the stack has no tag ${JSON.stringify(name)}`, {
    hint: `It has ${Object.keys(tags).sort().join(', ') || 'none'}.`,
  });
}
