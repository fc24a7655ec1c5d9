import type { ResourceEntry } from '@cairn/state';
import { equal, equalMaps, getProperty, isMap, stripSecretsMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { ReadResponse } from '@cairn/wire';

type Told = Pick<ResourceEntry, 'id' | 'inputs' | 'outputs'>;

/**
 * Properties by which a provider finds its own code, not its object: `__provider` of dynamic providers. Every read
 * request contains them.
 */
const OF_THE_PROVIDER = '__provider';

/**
 * Tells whether an answer to a read may be a mere echo of the request: the same id, the same outputs, and the same
 * inputs or none. A provider that reads an unchanged object answers the same, so such an answer proves nothing. Secret
 * marks make no difference.
 */
export function mayBeEcho(told: Told, found: Pick<ReadResponse, 'id' | 'inputs' | 'outputs'>): boolean {
  if (found.outputs === undefined || found.id !== told.id) return false;
  if (!equalMaps(bare(found.outputs), bare(told.outputs))) return false;
  return found.inputs === undefined || sameInputs(told, found.inputs);
}

/** Compares the inputs of an answer. A provider without inputs of its own repeats outputs there. */
function sameInputs({ inputs, outputs }: Told, found: PropertyMap): boolean {
  const answered = bare(found);
  return equalMaps(answered, bare(inputs)) || equalMaps(answered, bare(outputs));
}

/** Returns the part of a map that survives any provider: without marks of secrets and without null values. */
function bare(map: PropertyMap): PropertyMap {
  const plain = stripSecretsMap(map);
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== null));
}

/**
 * Returns the part of the outputs that reveals nothing of the record. A provider that answers more than this has read
 * the object.
 */
export function withoutRecord(outputs: PropertyMap): PropertyMap | undefined {
  const own = getProperty(outputs, OF_THE_PROVIDER);
  return own === undefined ? undefined : { [OF_THE_PROVIDER]: own };
}

/**
 * Tells whether an answer to a read with the id alone shows that its provider reads objects. It does if it contains a
 * text that the record has and that cannot come from the id.
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

/** Tells whether a value contains a text that is not part of the id. An empty text is a part of everything. */
function hasTextBeside(value: PropertyValue, id: string): boolean {
  if (typeof value === 'string') return !id.includes(value);
  if (Array.isArray(value)) return value.some((item: PropertyValue) => hasTextBeside(item, id));
  return isMap(value) && Object.keys(value).some((key) => hasTextBeside(value[key] as PropertyValue, id));
}
