import type { Urn } from '@cairn/addresses';
import { BLANK_VALUES } from '@cairn/state';
import type { CustomTimeouts, EntryValues } from '@cairn/state';
import { equal, equalMaps } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { RollbackOption } from '@cairn/wire';
import type { ResourceGate } from './goal.js';
import type { Naming } from './naming.js';

type Lists<T extends string> = Readonly<Record<string, readonly T[]>>;

/** Value types of options and of fields of entries. A form decides which value is blank, and when two are equal. */
export interface FormValues extends EntryValues {
  /** Undefined if unspecified. */
  choice: boolean | undefined;
  /** The order does not count. */
  urnSet: readonly Urn[];
  naming: Naming | undefined;
  rollback: RollbackOption | undefined;
  gates: readonly ResourceGate[];
}

export type OptionForm = keyof FormValues;

/** Forms that a value of the type may have. */
export type FormOf<V> = {
  [F in OptionForm]: [V] extends [FormValues[F]] ? ([FormValues[F]] extends [V] ? F : never) : never;
}[OptionForm];

interface FormRow<V> {
  /** Value without the option, or if the file has no key. */
  readonly blank: V;
  readonly same: (a: V, b: V) => boolean;
  /** True if a comparison must look through both values. */
  readonly deep?: true;
}

/** One row for each form. Blanks are shared and never changed. */
export const FORMS: { readonly [F in OptionForm]: FormRow<FormValues[F]> } = {
  flag: { blank: BLANK_VALUES.flag, same: identical },
  choice: { blank: undefined, same: identical },
  text: { blank: BLANK_VALUES.text, same: identical },
  label: { blank: BLANK_VALUES.label, same: identical },
  texts: { blank: BLANK_VALUES.texts, same: sameList },
  urn: { blank: BLANK_VALUES.urn, same: identical },
  urns: { blank: BLANK_VALUES.urns, same: sameList },
  urnSet: { blank: BLANK_VALUES.urns, same: sameSet },
  urnLists: { blank: BLANK_VALUES.urnLists, same: sameLists },
  textLists: { blank: BLANK_VALUES.textLists, same: sameLists },
  reference: { blank: BLANK_VALUES.reference, same: identical },
  paths: { blank: BLANK_VALUES.paths, same: sameJson },
  timeouts: { blank: BLANK_VALUES.timeouts, same: sameTimeouts },
  properties: { blank: BLANK_VALUES.properties, same: equalMaps, deep: true },
  value: { blank: BLANK_VALUES.value, same: sameValue, deep: true },
  trace: { blank: BLANK_VALUES.trace, same: sameJson },
  naming: { blank: undefined, same: sameText },
  rollback: { blank: undefined, same: identical },
  gates: { blank: [], same: sameJson },
};

function identical<T>(a: T, b: T): boolean {
  return a === b;
}

function sameTimeouts(a: CustomTimeouts, b: CustomTimeouts): boolean {
  return (
    a === b || (a.create === b.create && a.update === b.update && a.delete === b.delete && a.read === b.read)
  );
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return sameList(a, b) || (a.length === b.length && sameList(a.toSorted(), b.toSorted()));
}

function sameLists(a: Lists<string>, b: Lists<string>): boolean {
  if (a === b) return true;
  let more = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !sameList(a[key] ?? [], b[key] ?? [])) return false;
    more += 1;
  }
  for (const _key in b) more -= 1;
  return more === 0;
}

function sameValue(a: PropertyValue | undefined, b: PropertyValue | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && equal(a, b));
}

function sameJson(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && (a.length === 0 || sameText(a, b)));
}

function sameText(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
