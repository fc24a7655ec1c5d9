import type { Block, NestedBlock } from '../schema/index.js';
import { attributeType, impliedType, nestedBlockType } from '../schema/index.js';
import type { TfType, TfValue } from '../values/index.js';
import { hasDynamic, record, typeWithin, UNKNOWN_VALUE } from '../values/index.js';
import { emptyOf } from './empty.js';
import type { Typed } from './typed.js';
import {
  attributeOf,
  isNull,
  isTypedUnknown,
  itemsOf,
  listFrom,
  objectFrom,
  asDeclared,
  setFrom,
  typed,
} from './typed.js';

/** Returns a state in the form of newer providers: no blocks are an empty collection, never null [TFC-28]. */
export function normalizeLegacy(block: Block, value: TfValue): TfValue {
  if (value === null) return null;
  const type = impliedType(block);
  return asDeclared(type, normalizeBody(block, typed(type, value)));
}

function normalizeBody(block: Block, value: Typed): Typed {
  if (isNull(value)) return value;
  const parts = new Map<string, Typed>();
  for (const [name, attribute] of block.attributes) {
    parts.set(name, attributeOf(value, name, attributeType(attribute)));
  }
  for (const [name, nested] of block.blocks) {
    const declared = nestedBlockType(nested);
    parts.set(name, normalizeBlock(nested, declared, attributeOf(value, name, declared)));
  }
  return objectFrom(parts);
}

function normalizeBlock({ nesting, block }: NestedBlock, declared: TfType, value: Typed): Typed {
  if (nesting === 'map' || hasDynamic(impliedType(block))) return value;
  if (nesting === 'single') return isTypedUnknown(value) ? unknownBody(block) : normalizeBody(block, value);
  if (nesting === 'group') {
    if (isNull(value)) return emptyOf(block);
    return isTypedUnknown(value) ? unknownBody(block) : normalizeBody(block, value);
  }
  const items = isTypedUnknown(value)
    ? [unknownBody(block)]
    : itemsOf(value).map((each) => normalizeBody(block, each));
  if (nesting === 'set') return setFrom(declared, items);
  return items.length === 0 ? { type: declared, value: Object.freeze([]) } : listFrom(declared, items);
}

/** Returns a block whose attributes are all unknown. */
function unknownBody(block: Block): Typed {
  const parts = new Map<string, Typed>();
  for (const [name, attribute] of block.attributes) {
    parts.set(name, { type: attributeType(attribute), value: UNKNOWN_VALUE });
  }
  for (const [name, nested] of block.blocks) {
    const declared = nestedBlockType(nested);
    parts.set(name, unknownBlock(nested, declared));
  }
  return objectFrom(parts);
}

function unknownBlock({ nesting, block }: NestedBlock, declared: TfType): Typed {
  if (nesting === 'single' || nesting === 'group') return unknownBody(block);
  if (nesting === 'map') return { type: declared, value: record([]) };
  const items = [asDeclared(typeWithin(declared, 0), unknownBody(block))].map((each) =>
    typed(typeWithin(declared, 0), each),
  );
  return nesting === 'set' ? setFrom(declared, items) : listFrom(declared, items);
}
