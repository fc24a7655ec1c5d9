import type { Attribute, Block, NestedBlock, NestedObject } from '../schema/index.js';
import { impliedType } from '../schema/index.js';
import type { TfPath, TfValue } from '../values/index.js';
import { typeWithin, unknown } from '../values/index.js';
import type { Typed } from './typed.js';
import { entriesOf, isNull, isUnknown, itemsOf, typed } from './typed.js';

/** Returns the part of a state at a path. Undefined if the path leads nowhere, also if it passes a null. */
export function lookUp(block: Block, value: TfValue, path: TfPath): Typed | undefined {
  return path.reduce<Typed | undefined>(
    (at, step) => (at === undefined ? undefined : part(at, step)),
    typed(impliedType(block), value),
  );
}

function part(of: Typed, step: TfPath[number]): Typed | undefined {
  const key = typeof step === 'object' ? step.key : step;
  if (isNull(of) || (typeof key !== 'string' && typeof key !== 'number')) return undefined;
  if (isUnknown(of)) return { type: typeWithin(of.type, key), value: unknown };
  return typeof key === 'string' ? entriesOf(of).get(key) : inOrder(of)[key];
}

function inOrder(of: Typed): readonly Typed[] {
  return typeof of.type === 'object' && of.type.kind === 'set' ? [] : itemsOf(of);
}

/** Returns the attribute of the schema that a path leads to or into, in nested attributes and blocks too. */
export function attributeAt(block: Block, path: TfPath): Attribute | undefined {
  let body: Block | NestedObject = block;
  let found: Attribute | undefined;
  let isElement = false;
  for (const step of path) {
    if (isElement) {
      isElement = false;
      continue;
    }
    if (typeof step !== 'string') return undefined;
    const part: Attribute | NestedBlock | undefined =
      body.attributes.get(step) ?? ('blocks' in body ? body.blocks.get(step) : undefined);
    if (part === undefined) return undefined;
    found = 'block' in part ? undefined : part;
    // An attribute with a type of its own contains no further attributes.
    if (!('block' in part) && part.nested === undefined) return part;
    const { nesting } = 'block' in part ? part : part.nested;
    body = 'block' in part ? part.block : part.nested;
    isElement = nesting !== 'single' && nesting !== 'group';
  }
  return found;
}
