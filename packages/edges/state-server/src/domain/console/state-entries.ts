import type { ConsoleResourceRow } from '@cairn/http-api';
import { blindedValue, isSealedValue } from './blinded-values.js';

/** Entry of a resource in a state, as the file has it. */
export interface StateEntry extends Readonly<Record<string, unknown>> {
  readonly urn: string;
}

/** Parts of a deployment that the console reads. */
export interface ShownDeployment {
  readonly resources: readonly StateEntry[];
  readonly pending: readonly { readonly type: string; readonly resource: StateEntry }[];
  readonly secretsProvider: string | undefined;
  /** Reason why it fails the integrity check. */
  readonly integrity: string | undefined;
}

/** Reads the text of a deployment. What is damaged is left out, so that the rest can be shown. */
export function shownDeployment(text: string): ShownDeployment {
  const parsed = objectOf(JSON.parse(text === '' ? '{}' : text));
  const problem = objectOf(objectOf(parsed['metadata'])['integrity_error'])['error'];
  const type = objectOf(parsed['secrets_providers'])['type'];
  return {
    resources: listOf(parsed['resources']).filter(isEntry),
    pending: listOf(parsed['pending_operations']).flatMap((operation) => {
      const { type: kind, resource } = objectOf(operation);
      return isEntry(resource) ? [{ type: String(kind), resource }] : [];
    }),
    secretsProvider: typeof type === 'string' ? type : undefined,
    integrity: typeof problem === 'string' ? problem : undefined,
  };
}

/** Returns the row of an entry: everything that lists and trees show. */
export function resourceRow(entry: StateEntry): ConsoleResourceRow {
  const { urn, id, parent, custom, protect, external, taint } = entry;
  const needs = neededBy(entry);
  return {
    urn,
    ...(typeof id === 'string' && id !== '' && { id }),
    ...(typeof parent === 'string' && parent !== '' && { parent }),
    ...(needs.length > 0 && { needs }),
    custom: custom === true,
    ...(protect === true && { protect }),
    ...(entry['delete'] === true && { delete: true as const }),
    ...(external === true && { external }),
    ...(taint === true && { taint }),
  };
}

/** Returns the URNs of the resources that an entry depends on. */
function neededBy({ dependencies }: StateEntry): readonly string[] {
  return listOf(dependencies).filter((urn): urn is string => typeof urn === 'string');
}

/** Returns the entries of one resource without the contents of secrets, and the resources that depend on it. */
export function resourceDetail({ resources }: ShownDeployment, urn: string) {
  return {
    entries: resources
      .filter((entry) => entry.urn === urn)
      .map((entry) => blindedValue(entry) as Readonly<Record<string, unknown>>),
    neededBy: resources.filter((entry) => neededBy(entry).includes(urn)).map((entry) => entry.urn),
  };
}

/** Parts of an entry with properties. */
const PROPERTIES = ['inputs', 'outputs'] as const;

/**
 * Returns true if an entry has a property with a text in its key or value, or with `KEY=VALUE` both. Contents of
 * secrets are not searched: they match nothing.
 */
export function hasProperty(entry: StateEntry, text: string): boolean {
  const [key = '', ...rest] = text.toLowerCase().split('=');
  const wanted = rest.length === 0 ? undefined : rest.join('=');
  const isIn = (value: unknown, keys: string): boolean => {
    if (typeof value === 'object' && value !== null) {
      if (isSealedValue(value)) return wanted === undefined && keys.includes(key);
      return Object.entries(value).some(([name, each]) => isIn(each, `${keys}.${name.toLowerCase()}`));
    }
    const shown = String(value).toLowerCase();
    if (wanted === undefined) return keys.includes(key) || shown.includes(key);
    return keys.endsWith(key) && shown.includes(wanted);
  };
  return PROPERTIES.some((part) =>
    Object.entries(objectOf(entry[part])).some(([name, value]) => isIn(value, name.toLowerCase())),
  );
}

function isEntry(value: unknown): value is StateEntry {
  return typeof objectOf(value)['urn'] === 'string';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
