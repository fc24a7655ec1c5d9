import type { Block } from '../schema/index.js';
import { attributeType, nestedBlockType } from '../schema/index.js';
import { objectOf, record } from '../values/index.js';
import type { Typed } from './typed.js';
import { nullOf, objectFrom } from './typed.js';

/** Returns the value of a block without content: attributes null, no blocks, groups empty themselves. */
export function emptyOf(block: Block): Typed {
  const parts = new Map<string, Typed>();
  for (const [name, attribute] of block.attributes) parts.set(name, nullOf(attributeType(attribute)));
  for (const [name, nested] of block.blocks) {
    const type = nestedBlockType(nested);
    if (nested.nesting === 'group') parts.set(name, emptyOf(nested.block));
    else if (nested.nesting === 'single') parts.set(name, nullOf(type));
    else if (nested.nesting === 'map') {
      parts.set(name, { type: type === 'dynamic' ? objectOf({}) : type, value: record([]) });
    } else {
      const tuple = Object.freeze({ kind: 'tuple', elements: Object.freeze([]) } as const);
      parts.set(name, { type: type === 'dynamic' ? tuple : type, value: Object.freeze([]) });
    }
  }
  return objectFrom(parts);
}
