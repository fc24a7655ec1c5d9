import { ProviderError, s } from '@cairn/provider-sdk';
import { nameProperty } from '../server/names.js';

/** Properties of every set of privileges: its role and its content. */
export const granted = {
  role: nameProperty.replaceOnChange().describe('Role that gets the privileges; public: every role.'),
  privileges: s.array(s.string(), { minItems: 1 }).describe('For instance SELECT; ALL means all of them.'),
  grantOption: s.boolean().default(false).describe('Whether the role may grant them to others.'),
};

/** Returns the kind of objects that an id names. Throws a `ProviderError` for another word. */
export function kindIn<K extends string>(id: string, word: string, kinds: readonly K[]): K {
  const kind = kinds.find((one) => one === word);
  if (kind !== undefined) return kind;
  throw new ProviderError(
    'INVALID_ARGUMENT',
    `the id ${id} has ${word} where one of ${kinds.join(', ')} belongs`,
  );
}
