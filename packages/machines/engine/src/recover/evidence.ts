import type { ResourceEntry } from '@cairn/state';
import { equal, equalMaps, getProperty, isMap, stripSecretsMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { ReadResponse } from '@cairn/wire';

type Told = Pick<ResourceEntry, 'id' | 'inputs' | 'outputs'>;

/**
 * Properties by which a provider finds its own code, not its object: `__provider` of dynamic providers. They are told
 * always.
 */
const OF_THE_PROVIDER = '__provider';

/**
 * Whether an answer to a read may be nothing but the request: the same id, the same outputs, and the same inputs or
 * none. A provider that looks at an object that nobody has changed answers the same, so such an answer proves nothing.
 * Secret or not is no difference.
 */
export function mayBeEcho(told: Told, found: Pick<ReadResponse, 'id' | 'inputs' | 'outputs'>): boolean {
  if (found.outputs === undefined || found.id !== told.id) return false;
  if (!equalMaps(bare(found.outputs), bare(told.outputs))) return false;
  return found.inputs === undefined || sameInputs(told, found.inputs);
}

/** A provider without inputs of its own in an answer repeats outputs there. */
function sameInputs({ inputs, outputs }: Told, found: PropertyMap): boolean {
  const answered = bare(found);
  return equalMaps(answered, bare(inputs)) || equalMaps(answered, bare(outputs));
}

/** What survives a way through any provider: no marks of secrets, and nothing where there is null. */
function bare(map: PropertyMap): PropertyMap {
  const plain = stripSecretsMap(map);
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== null));
}

/** What a read is told that tells nothing: whoever answers more than this has looked. */
export function withoutRecord(outputs: PropertyMap): PropertyMap | undefined {
  const own = getProperty(outputs, OF_THE_PROVIDER);
  return own === undefined ? undefined : { [OF_THE_PROVIDER]: own };
}

/**
 * Whether an answer to a read that was told the id alone shows that its provider looks at objects: it says a text that
 * the record has and that cannot be had from the id.
 */
export function tellsRecorded({ id, outputs }: Told, found: Pick<ReadResponse, 'id' | 'outputs'>): boolean {
  if (found.outputs === undefined || found.id === '') return false;
  const recorded = stripSecretsMap(outputs);
  const answered = stripSecretsMap(found.outputs);
  return Object.keys(answered).some((key) => {
    const value = getProperty(answered, key);
    const known = getProperty(recorded, key);
    if (key.startsWith('__') || value === undefined || known === undefined) return false;
    return equal(value, known) && hasTextBeside(value, id);
  });
}

/** A text that is no part of the id; an empty one is a part of everything. */
function hasTextBeside(value: PropertyValue, id: string): boolean {
  if (typeof value === 'string') return !id.includes(value);
  if (Array.isArray(value)) return value.some((item: PropertyValue) => hasTextBeside(item, id));
  return isMap(value) && Object.keys(value).some((key) => hasTextBeside(value[key] as PropertyValue, id));
}
