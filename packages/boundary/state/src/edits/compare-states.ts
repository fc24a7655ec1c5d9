import { goJson, isJsonObject } from '../values/go-json.js';
import type { Json } from '../values/go-json.js';
import { ENTRY_FIELD_LIST } from '../document/entry-fields.js';
import { untypedDeploymentText } from '../document/write-document.js';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';
import { STATE_SIGNATURES, SIGNATURE_KEY } from '../values/signatures.js';
import type { EditedEntry } from './state-edit.js';

/**
 * Returns the changes between two states, entry by entry: added, deleted or altered. If no entry differs but something
 * else does, such as the order, the result is one row for it. Entries with one URN are distinguished by their id and by
 * whether they wait to be deleted.
 */
export function editedEntries(
  before: SerializedDeployment,
  after: SerializedDeployment,
): readonly EditedEntry[] {
  const [old, present] = [textsOf(before), textsOf(after)];
  const changed: EditedEntry[] = [];
  for (const [name, { urn, text }] of old) {
    const now = present.get(name);
    if (now === undefined) changed.push({ what: 'delete', urn });
    else if (now.text !== text) changed.push({ what: 'alter', urn });
  }
  for (const [name, { urn }] of present) if (!old.has(name)) changed.push({ what: 'add', urn });
  if (changed.length > 0 || untypedDeploymentText(before) === untypedDeploymentText(after)) return changed;
  return [{ what: 'alter the rest', urn: '', why: 'order, pending operations, manifest or snippets' }];
}

function textsOf({ resources }: SerializedDeployment): ReadonlyMap<string, { urn: string; text: string }> {
  return new Map(
    resources.map((resource) => [
      nameOf(resource),
      { urn: resource.urn, text: goJson(resource as unknown as Json) },
    ]),
  );
}

function nameOf({ urn, id = '', delete: condemned = false }: SerializedResource): string {
  return JSON.stringify([urn, id, condemned]);
}

/** Fields whose values may contain secrets. */
const VALUE_FIELDS = ENTRY_FIELD_LIST.filter(({ kind }) => kind === 'properties' || kind === 'value');

/** Tells whether a value of the entry is a secret in the clear. */
export function hasPlaintext(resource: SerializedResource): boolean {
  return VALUE_FIELDS.some(({ key }) => {
    const value = resource[key];
    return value !== undefined && isOpen(value as Json);
  });
}

function isOpen(value: Json): boolean {
  if (Array.isArray(value)) return (value as readonly Json[]).some(isOpen);
  if (!isJsonObject(value)) return false;
  if (value[SIGNATURE_KEY] === STATE_SIGNATURES.secret) return typeof value['plaintext'] === 'string';
  return Object.keys(value).some((key) => isOpen(value[key] as Json));
}
