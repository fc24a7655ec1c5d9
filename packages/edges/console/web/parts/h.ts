import { h as createElement } from 'preact';
import type { ComponentChildren, VNode } from 'preact';

type Component<P> = (props: P) => VNode | null;

/** Makes an element or a component. Children come as one value, which may be a list. */
export function h(
  type: string,
  props?: Readonly<Record<string, unknown>> | null,
  children?: ComponentChildren,
): VNode;
export function h<P>(
  type: Component<P>,
  props: Omit<P, 'children'> & { readonly key?: string | number },
  children?: ComponentChildren,
): VNode;
export function h(
  type: string | Component<object>,
  props?: object | null,
  children?: ComponentChildren,
): VNode {
  const make = createElement as (
    type: unknown,
    props: object | null,
    ...children: ComponentChildren[]
  ) => VNode;
  return children === undefined ? make(type, props ?? null) : make(type, props ?? null, children);
}
