import { parseBody } from '../syntax/parse-body.js';
import type { Attribute, Body } from '../syntax/ast.js';
import { pclError } from '../pcl-error.js';

/** Options a resource body may have in its block `options`. */
export const OPTION_NAMES = [
  'additionalSecretOutputs',
  'aliases',
  'customTimeouts',
  'deleteBeforeReplace',
  'deletedWith',
  'dependsOn',
  'hideDiffs',
  'ignoreChanges',
  'import',
  'parent',
  'pluginDownloadURL',
  'protect',
  'provider',
  'providers',
  'range',
  'replaceOnChanges',
  'replaceWith',
  'replacementTrigger',
  'retainOnDelete',
  'version',
] as const;
export type OptionName = (typeof OPTION_NAMES)[number];

/** The code of a resource: what it is to be, and how it is to be treated. */
export interface SnippetCode {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly options: ReadonlyMap<OptionName, Attribute>;
}

/** Parses the body of a resource [SNIP-1]. Throws a CairnError that says where. */
export function parseSnippet(code: string): SnippetCode {
  const { attributes, blocks } = parseBody(code);
  const [block, second] = blocks;
  for (const each of blocks)
    if (each.type !== 'options' || each.labels.length > 0)
      throw pclError(`unsupported block '${each.type}'`, each.at);
  if (second !== undefined) throw pclError("the block 'options' is there twice", second.at);
  return { attributes, options: block === undefined ? new Map() : optionsOf(block.body) };
}

function optionsOf(body: Body): ReadonlyMap<OptionName, Attribute> {
  const options = new Map<OptionName, Attribute>();
  for (const attribute of [...body.attributes.values(), ...body.blocks.map(asAttribute)]) {
    const name = OPTION_NAMES.find((each) => each === attribute.name);
    if (name === undefined) throw pclError(`unknown resource option '${attribute.name}'`, attribute.at);
    options.set(name, attribute);
  }
  return options;
}

/** A block in `options` is another way to write an object. */
function asAttribute({ type, body, at }: Body['blocks'][number]): Attribute {
  const items = [...body.attributes.values()].map(({ name, value }) => ({
    key: { t: 'literal' as const, value: name, at: value.at },
    value,
  }));
  return { name: type, value: { t: 'object', items, at }, at };
}
