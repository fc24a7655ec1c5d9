import type { Block, Documentation, TfType } from '@cairn/tfplugin';

/** The parts of an object under both of their names, in the order of the attributes. */
export interface ObjectShape {
  readonly parts: readonly Part[];
  readonly byProperty: ReadonlyMap<string, Part>;
  readonly byAttribute: ReadonlyMap<string, Part>;
}

/** The shape of a block of a provider's schema, with the block. */
export interface BlockShape extends ObjectShape {
  readonly block: Block;
}

/** An attribute or block type of an object. */
export interface Part extends Documentation {
  readonly attribute: string;
  readonly property: string;
  readonly form: Form;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly writeOnly: boolean;
  /** Nested blocks; left out, they are empty and not null. */
  readonly isBlock: boolean;
  /** It is the id of the resource, which resources have without a property of their own. */
  readonly isId: boolean;
  /** Something in it is sensitive or write-only. */
  readonly hasHidden: boolean;
  /** Token of the type of its objects, where the mapping says it. */
  readonly typeToken: string | undefined;
}

/** How values of a part are formed. */
export type Form =
  /** Nothing in it has a name of the schema. */
  | { readonly t: 'value'; readonly type: TfType }
  | { readonly t: 'list' | 'set' | 'map'; readonly element: Form }
  | { readonly t: 'tuple'; readonly elements: readonly Form[] }
  /** A list or set of at most one element, which programs see without it. */
  | { readonly t: 'one'; readonly of: 'list' | 'set'; readonly element: Form }
  | { readonly t: 'object'; readonly shape: ObjectShape };

/** The object that a form is made of, through collections; undefined: none. */
export function objectIn(form: Form): ObjectShape | undefined {
  if (form.t === 'object') return form.shape;
  return form.t === 'value' || form.t === 'tuple' ? undefined : objectIn(form.element);
}
