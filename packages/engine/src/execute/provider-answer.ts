import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { containsUnknown, isMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { ResourceEntry } from '@cairn/state';
import { CairnError } from '@cairn/diagnostics';

/** Which call answered what, for the error that names the provider. */
export interface Answered {
  readonly entry: Pick<ResourceEntry, 'urn' | 'type'>;
  readonly call: string;
  /** Unknown values are allowed. */
  readonly preview: boolean;
}

/** The answer breaks the provider contract: nothing of it may reach state. */
export function badAnswer({ entry, call }: Answered, what: string): CairnError {
  const pkg = entry.type.slice(0, entry.type.indexOf(':'));
  const diagnostic: Diagnostic = errorDiagnostic(
    'CAIRN-PROVIDER-ANSWER',
    `provider "${pkg}" gave an invalid answer to ${call} of ${entry.type}: ${what}`,
    { urn: entry.urn, hint: `This is a fault of the provider: report it to the makers of "${pkg}".` },
  );
  return new CairnError([diagnostic]);
}

/** Properties of an answer. Throws {@link badAnswer} when they are missing or hold unknowns where none may be. */
export function answeredProperties(from: Answered, value: unknown, what: string): PropertyMap {
  if (value === undefined || value === null || !isMap(value as PropertyValue)) {
    throw badAnswer(from, `it has no ${what}`);
  }
  const map = value as PropertyMap;
  if (!from.preview) {
    for (const key of Object.keys(map)) {
      if (containsUnknown(map[key] as PropertyValue)) throw badAnswer(from, `${what}: "${key}" is not known`);
    }
  }
  return map;
}

/** Id of an answer. Throws {@link badAnswer} when it is not text, or empty where an object must exist. */
export function answeredId(from: Answered, id: unknown): string {
  if (typeof id !== 'string') throw badAnswer(from, `its id is ${typeof id}, not a text`);
  if (id === '' && !from.preview) throw badAnswer(from, 'it has no id');
  return id;
}
