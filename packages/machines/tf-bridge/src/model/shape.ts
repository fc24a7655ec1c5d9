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
  /** True for nested blocks. If omitted, they are empty and not null. */
  readonly isBlock: boolean;
  /** True if it is the id of the resource, which resources have without a property of their own. */
  readonly isId: boolean;
  /** True if a value in it is sensitive or write-only. */
  readonly hasHidden: boolean;
  /** Token of the type of its objects, if the mapping sets it. */
  readonly typeToken: string | undefined;
}

/** Form of a part's values. */
export type Form =
  /** No name in it comes from the schema. */
  | { readonly t: 'value'; readonly type: TfType }
  | { readonly t: 'list' | 'set' | 'map'; readonly element: Form }
  | { readonly t: 'tuple'; readonly elements: readonly Form[] }
  /** A list or set of at most one element, which programs see without the collection. */
  | { readonly t: 'one'; readonly of: 'list' | 'set'; readonly element: Form }
  | { readonly t: 'object'; readonly shape: ObjectShape };

/** Returns the object in a form, through collections. Undefined if there is none. */
export function objectIn(form: Form): ObjectShape | undefined {
  if (form.t === 'object') return form.shape;
  return form.t === 'value' || form.t === 'tuple' ? undefined : objectIn(form.element);
}
