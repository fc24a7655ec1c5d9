import type { ResourceEntry } from '@cairn/state';
import { FORMS } from './option-forms.js';
import type { OptionForm, FormValues } from './option-forms.js';
import { OPTIONS, STORED_OPTIONS } from './options.js';
import type { StoredOption, Written } from './options.js';

/** Form that values of the type have. */
type FormFor<V> = { [F in OptionForm]: [V] extends [FormValues[F]] ? F : never }[OptionForm];

interface EntryField<V> {
  readonly form: FormFor<V>;
  /**
   * Time of the write (see {@link Written}). `unstored`: no file has the field, so it makes no difference between
   * entries.
   */
  readonly written: Written | 'unstored';
}

/** Fields of entries that are no options of the program: the subject of the entry, and the state of its object. */
const OWN_FIELDS = {
  urn: { form: 'urn', written: 'now' },
  type: { form: 'text', written: 'now' },
  custom: { form: 'flag', written: 'now' },
  id: { form: 'text', written: 'never' },
  parent: { form: 'urn', written: 'now' },
  provider: { form: 'reference', written: 'now' },
  delete: { form: 'flag', written: 'never' },
  pendingReplacement: { form: 'flag', written: 'never' },
  taint: { form: 'flag', written: 'never' },
  external: { form: 'flag', written: 'now' },
  refreshBeforeUpdate: { form: 'flag', written: 'never' },
  viewOf: { form: 'urn', written: 'never' },
  initErrors: { form: 'texts', written: 'never' },
  aliases: { form: 'urns', written: 'unstored' },
  created: { form: 'label', written: 'never' },
  modified: { form: 'label', written: 'never' },
  inputs: { form: 'properties', written: 'now' },
  outputs: { form: 'properties', written: 'now' },
} as const satisfies {
  readonly [K in Exclude<keyof ResourceEntry, StoredOption>]: EntryField<ResourceEntry[K]>;
};

type Comparison = readonly [field: keyof ResourceEntry, same: (a: unknown, b: unknown) => boolean];

/** Every field with the time of its write. Values that need a deep comparison come last. */
const FIELDS = [
  ...Object.entries(OWN_FIELDS).map(([name, { form, written }]) => ({
    name,
    form: form as OptionForm,
    written,
  })),
  ...STORED_OPTIONS.map((name) => ({
    name,
    form: OPTIONS[name].form as OptionForm,
    written: OPTIONS[name].stored,
  })),
].sort((a, b) => Number(FORMS[a.form].deep ?? false) - Number(FORMS[b.form].deep ?? false));

function comparisons(...of: readonly EntryField<unknown>['written'][]): readonly Comparison[] {
  return FIELDS.filter(({ written }) => of.includes(written)).map(({ name, form }) => [
    name as keyof ResourceEntry,
    FORMS[form].same as Comparison[1],
  ]);
}

const NOW = comparisons('now');
const AT_END = comparisons('end');
const STORED = comparisons('now', 'end', 'never');
const PLACES: ReadonlySet<string> = new Set([
  'sourcePosition',
  'stackTrace',
] satisfies (keyof ResourceEntry)[]);
const BUT_PLACES = STORED.filter(([field]) => !PLACES.has(field));

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
  for (const [field, same] of fields) if (!same(a[field], b[field])) return true;
  return false;
}
