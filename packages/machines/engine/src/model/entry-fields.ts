import { ENTRY_FIELD_LIST } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { FORMS } from './option-forms.js';
import type { OptionForm } from './option-forms.js';
import { OPTIONS } from './options.js';

type Written = (typeof ENTRY_FIELD_LIST)[number]['written'];
interface Comparison {
  readonly field: keyof ResourceEntry;
  readonly same: (a: unknown, b: unknown) => boolean;
}

/** Form by which the values of a field are compared: that of the option of this name, or the field's own kind. */
const formOf = (name: string): OptionForm | undefined =>
  (OPTIONS as { [name: string]: { form: OptionForm } })[name]?.form;

/** Every field with the time of its write. Values that need a deep comparison come last. */
const FIELDS = ENTRY_FIELD_LIST.map(({ property, kind, written }) => ({
  property,
  written,
  form: FORMS[formOf(property) ?? kind],
})).sort((a, b) => Number(a.form.deep ?? false) - Number(b.form.deep ?? false));

function comparisons(...of: readonly Written[]): readonly Comparison[] {
  return FIELDS.filter(({ written }) => of.includes(written)).map(({ property, form }) => ({
    field: property,
    same: form.same as Comparison['same'],
  }));
}

const NOW = comparisons('now');
const AT_END = comparisons('end');
const STORED = comparisons('now', 'end', 'never');
const PLACES: ReadonlySet<string> = new Set([
  'sourcePosition',
  'stackTrace',
] satisfies (keyof ResourceEntry)[]);
const BUT_PLACES = STORED.filter(({ field }) => !PLACES.has(field));

/** Returns true if two entries are stored alike. */
export function sameEntry(a: ResourceEntry, b: ResourceEntry): boolean {
  return a === b || !differ(STORED, a, b);
}

/** Returns true if two entries are stored alike, except for the place where the program registers them. */
export function sameElsewhere(a: ResourceEntry, b: ResourceEntry): boolean {
  return a === b || !differ(BUT_PLACES, a, b);
}

/** Returns true if the result of a `same` step must be written immediately rather than when something refers to it. */
export function mustWrite(old: ResourceEntry, entry: ResourceEntry): boolean {
  return differ(NOW, old, entry);
}

/** Returns true if an unwritten entry contains anything that must not be lost at the end. */
export function mustWriteAtEnd(old: ResourceEntry, entry: ResourceEntry): boolean {
  return differ(AT_END, old, entry);
}

function differ(fields: readonly Comparison[], a: ResourceEntry, b: ResourceEntry): boolean {
  for (let at = 0; at < fields.length; at++) {
    const { field, same } = fields[at] as Comparison;
    if (!same(a[field], b[field])) return true;
  }
  return false;
}
