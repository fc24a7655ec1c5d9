import { cairnError } from '@cairn/diagnostics';
import type { StackTags } from '@cairn/backends';

const NAME = /^[A-Za-z0-9_.:-]{1,40}$/;
const LONGEST = 256;

/** A tag as it may be stored. Throws CAIRN-USAGE for another one. */
export function checkTag(name: string, value: string): void {
  if (!NAME.test(name)) {
    throw cairnError('CAIRN-USAGE', `${JSON.stringify(name)} is not a name for a tag`, {
      hint: 'Use 1 to 40 letters, digits, "_", ".", ":" or "-".',
    });
  }
  if (value.length > LONGEST)
    throw cairnError('CAIRN-USAGE', `the value of tag "${name}" has more than ${LONGEST} characters`);
}

/** The value of a tag. Throws CAIRN-USAGE when the stack has no such tag. */
export function tagOf(tags: StackTags, name: string): string {
  const value = Object.hasOwn(tags, name) ? tags[name] : undefined;
  if (value !== undefined) return value;
  throw cairnError('CAIRN-USAGE', `the stack has no tag ${JSON.stringify(name)}`, {
    hint: `it has ${Object.keys(tags).sort().join(', ') || 'none'}`,
  });
}
