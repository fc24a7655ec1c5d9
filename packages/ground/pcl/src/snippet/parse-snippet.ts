import { parsePclBody } from '../syntax/parse-body.js';
import type { AttributeNode, Body } from '../syntax/ast.js';
import { pclError } from '../pcl-error.js';

/** Code of a resource: its attributes and its options. */
export interface SnippetCode {
  readonly attributes: ReadonlyMap<string, AttributeNode>;
  readonly options: ReadonlyMap<string, AttributeNode>;
}

/**
 * Parses the body of a resource [SNIP-1]. `known`: names that its block `options` may have besides `range`. Throws a
 * CairnError with the position.
 */
export function parseSnippet(code: string, known: ReadonlySet<string>): SnippetCode {
  const { attributes, blocks } = parsePclBody(code);
  const [block, second] = blocks;
  for (const each of blocks)
    if (each.type !== 'options' || each.labels.length > 0)
      throw pclError(`unsupported block '${each.type}'`, each.at);
  if (second !== undefined) throw pclError("the block 'options' occurs twice", second.at);
  return { attributes, options: block === undefined ? new Map() : optionsOf(block.body, known) };
}

function optionsOf(body: Body, known: ReadonlySet<string>): ReadonlyMap<string, AttributeNode> {
  const options = new Map<string, AttributeNode>();
  for (const attribute of [...body.attributes.values(), ...body.blocks.map(asAttribute)]) {
    const { name, at } = attribute;
    if (name !== 'range' && !known.has(name)) throw pclError(`unknown resource option '${name}'`, at);
    options.set(name, attribute);
  }
  return options;
}

/** Turns a block in `options` into an attribute: a block is another way to write an object. */
function asAttribute({ type, body, at }: Body['blocks'][number]): AttributeNode {
  const items = [...body.attributes.values()].map(({ name, value }) => ({
    key: { t: 'literal' as const, value: name, at: value.at },
    value,
  }));
  return { name: type, value: { t: 'object', items, at }, at };
}
