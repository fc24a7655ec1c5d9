/**
 * Kinds of values of fields. A kind has one stored form (`document/field-forms.ts`), one value in memory and one blank
 * value (`snapshot/resource-entry.ts`), and one codec between them (`snapshot/resource-codec.ts`).
 */
export type FieldKind =
  | 'text'
  /** A text that is `undefined` in memory if it is empty. */
  | 'label'
  | 'flag'
  | 'texts'
  | 'urn'
  | 'urns'
  | 'urnLists'
  | 'textLists'
  | 'reference'
  | 'paths'
  | 'timeouts'
  | 'properties'
  | 'value'
  | 'trace';

/** Ways in which one entry needs another. */
export type ReferenceKind =
  'provider' | 'parent' | 'dependency' | 'property-dependency' | 'deleted-with' | 'replace-with';

interface FieldRow {
  readonly kind: FieldKind;
  /** Name of the field in memory. Defaults to the key. */
  readonly property?: string;
  /** True if the key is written even with a blank value. */
  readonly always?: true;
  /**
   * Time of writing a changed value if the step changes nothing else [STATE-7]. `now`: immediately. `end`: before the
   * operation ends. `never`: with the next step that is written for another reason. `unstored`: a state never contains
   * the field, so that it makes no difference between entries.
   */
  readonly written: 'now' | 'end' | 'never' | 'unstored';
  /** The way in which the named entries are needed. A field without it may name entries, but it does not need them. */
  readonly reference?: ReferenceKind;
  /** Feature that a document needs if the value is not blank [STATE-3]. */
  readonly feature?: string;
}

/**
 * Table of the fields of an entry, by their key in a document and in the order in which they are written [STATE-6].
 * Everything that handles all fields of entries follows from it.
 */
export const ENTRY_FIELDS = {
  urn: { kind: 'urn', always: true, written: 'now' },
  /** False for components. */
  custom: { kind: 'flag', always: true, written: 'now' },
  /** Pending delete: the object of a create-first replacement that still has to be deleted. */
  delete: { kind: 'flag', written: 'never' },
  /** The provider's id of the object; empty for components. */
  id: { kind: 'text', written: 'never' },
  type: { kind: 'text', always: true, written: 'now' },
  inputs: { kind: 'properties', written: 'now' },
  outputs: { kind: 'properties', written: 'now' },
  parent: { kind: 'urn', written: 'now', reference: 'parent' },
  protect: { kind: 'flag', written: 'now' },
  taint: { kind: 'flag', written: 'never', feature: 'taint' },
  /** True if the resource is read, not owned. */
  external: { kind: 'flag', written: 'now' },
  dependencies: { kind: 'urns', written: 'now', reference: 'dependency' },
  initErrors: { kind: 'texts', written: 'never' },
  provider: { kind: 'reference', written: 'now', reference: 'provider' },
  /** A property without dependencies has an empty list, or `NULL_LIST` if the document has `null`. */
  propertyDependencies: { kind: 'urnLists', written: 'now', reference: 'property-dependency' },
  /** Pending replacement: deleted first and not recreated yet. */
  pendingReplacement: { kind: 'flag', written: 'never' },
  additionalSecretOutputs: { kind: 'texts', written: 'end' },
  /** The alias under which the prior entry was found. Journals contain it; replay applies and removes it. */
  aliases: { kind: 'urns', written: 'unstored' },
  /** Seconds. */
  customTimeouts: { kind: 'timeouts', written: 'now' },
  importID: { kind: 'text', property: 'importId', written: 'now' },
  retainOnDelete: { kind: 'flag', written: 'now' },
  deletedWith: { kind: 'urn', written: 'now', reference: 'deleted-with' },
  replaceWith: { kind: 'urns', written: 'now', reference: 'replace-with', feature: 'replaceWith' },
  /** RFC 3339 texts, kept as read [STATE-2]. */
  created: { kind: 'label', written: 'never' },
  modified: { kind: 'label', written: 'never' },
  /** `project:///<path>#line[,column]`. */
  sourcePosition: { kind: 'label', written: 'end' },
  stackTrace: { kind: 'trace', written: 'end' },
  ignoreChanges: { kind: 'texts', written: 'end' },
  hideDiff: { kind: 'paths', property: 'hideDiffs', written: 'end' },
  replaceOnChanges: { kind: 'texts', written: 'end' },
  replacementTrigger: { kind: 'value', written: 'now' },
  refreshBeforeUpdate: { kind: 'flag', written: 'never', feature: 'refreshBeforeUpdate' },
  /** The owner of a view. A name, not a reference: see `graph/references.ts`. */
  viewOf: { kind: 'urn', written: 'never', feature: 'views' },
  resourceHooks: { kind: 'textLists', written: 'now', feature: 'hooks' },
  extensionRef: { kind: 'label', written: 'now', feature: 'extensionParameterization' },
  snippetID: { kind: 'label', property: 'snippetId', written: 'end', feature: 'snippets-prototype' },
} as const satisfies { readonly [key: string]: FieldRow };

export type EntryFields = typeof ENTRY_FIELDS;
export type EntryKey = keyof EntryFields;

/** Names in memory of the fields with these keys. */
export type EntryProperty<K extends EntryKey> = K extends EntryKey
  ? EntryFields[K] extends { readonly property: infer P extends string }
    ? P
    : K
  : never;

/** Keys of the fields whose row has the given columns. */
export type KeysWith<Columns> = {
  [K in EntryKey]: EntryFields[K] extends Columns ? K : never;
}[EntryKey];

/** One field: its key, its name in memory, and its row. */
export interface EntryField extends Required<Pick<FieldRow, 'kind' | 'written'>> {
  readonly key: EntryKey;
  readonly property: EntryProperty<EntryKey>;
  readonly always: boolean;
  readonly reference: ReferenceKind | undefined;
  readonly feature: string | undefined;
}

/** Rows of {@link ENTRY_FIELDS} as a list, in the same order. */
export const ENTRY_FIELD_LIST: readonly EntryField[] = Object.entries<FieldRow>(ENTRY_FIELDS).map(
  ([key, { kind, property = key, always = false, written, reference, feature }]) => ({
    key: key as EntryKey,
    property: property as EntryProperty<EntryKey>,
    kind,
    always,
    written,
    reference,
    feature,
  }),
);
