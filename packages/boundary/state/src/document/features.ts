import { ENTRY_FIELD_LIST } from './entry-fields.js';
import type { EntryKey } from './entry-fields.js';
import { FIELD_FORMS } from './field-forms.js';
import type { SerializedDeployment, SerializedResource } from './serialized.js';
import type { Json } from '../values/go-json.js';

interface FeatureField {
  readonly key: EntryKey;
  readonly feature: string;
  readonly isBlank: (value: Json) => boolean;
}

/** Fields that need a feature unless their value is blank [STATE-3]. A deployment that needs one has version 4. */
const FEATURE_FIELDS: readonly FeatureField[] = ENTRY_FIELD_LIST.flatMap(({ key, kind, feature }) =>
  feature === undefined ? [] : [{ key, feature, isBlank: FIELD_FORMS[kind].isEmpty }],
);

/** Feature of strings that are not valid UTF-8, in whatever field. */
const BYTE_STRING = 'byteString';
const KNOWN: ReadonlySet<string> = new Set([BYTE_STRING, ...FEATURE_FIELDS.map(({ feature }) => feature)]);

/** Returns the features that a deployment needs, sorted. Pending operations count like resources. */
export function neededFeatures(deployment: SerializedDeployment): readonly string[] {
  const needed = new Set<string>();
  if (deployment.snippets.length > 0) needed.add('snippets-prototype');
  const count = deployment.resources.length + deployment.pendingOperations.length;
  if (deployment.byteStrings && count > 0) needed.add(BYTE_STRING);
  for (const resource of deployment.resources) collect(resource, needed);
  for (const operation of deployment.pendingOperations) collect(operation.resource, needed);
  return [...needed].sort();
}

/** Returns the names from a file that this version does not know. */
export function unknownFeatures(names: readonly string[]): readonly string[] {
  return names.filter((name) => !KNOWN.has(name));
}

function collect(resource: SerializedResource, needed: Set<string>): void {
  for (let at = 0; at < FEATURE_FIELDS.length; at++) {
    const { key, feature, isBlank } = FEATURE_FIELDS[at] as FeatureField;
    const value = resource[key] as Json | undefined;
    if (value !== undefined && !isBlank(value)) needed.add(feature);
  }
}
