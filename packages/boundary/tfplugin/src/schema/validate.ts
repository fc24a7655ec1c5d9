import { hasDynamic } from '../values/type.js';
import type { TfPath } from '../values/path.js';
import { attributeType, impliedType } from './implied-type.js';
import type { Attribute, Block, NestedBlock } from './model.js';

/** Problem in a schema, and its path. */
interface SchemaProblem {
  readonly path: TfPath;
  readonly message: string;
}

const NAME = /^[a-z0-9_]+$/;

/** Returns the contradictions in a schema [TFV-10]; none if it can be used. */
export function validateBlock(block: Block, path: TfPath = []): readonly SchemaProblem[] {
  const attributes = [...block.attributes].flatMap(([name, each]) =>
    validateAttribute(each, name, [...path, name]),
  );
  const blocks = [...block.blocks].flatMap(([name, each]) => {
    const here = [...path, name];
    const twice = block.attributes.has(name)
      ? [{ path: here, message: 'is an attribute and a block type' }]
      : [];
    return [
      ...named(name, here),
      ...twice,
      ...validateNestedBlock(each, here),
      ...validateBlock(each.block, here),
    ];
  });
  return [...attributes, ...blocks];
}

function validateAttribute(attribute: Attribute, name: string, path: TfPath): readonly SchemaProblem[] {
  const { required, optional, computed, writeOnly, nested } = attribute;
  const found = [
    !required && !optional && !computed && 'is neither required nor optional nor computed',
    required && optional && 'is both required and optional',
    required && computed && 'is both required and computed',
    writeOnly && computed && 'is both write-only and computed',
    nested?.nesting === 'set' &&
      hasDynamic(attributeType(attribute)) &&
      'is a set of objects without fixed types',
  ].flatMap((message) => (message === false ? [] : [{ path, message }]));
  const inside = nested === undefined ? [] : [...nested.attributes];
  return [
    ...named(name, path),
    ...found,
    ...inside.flatMap(([each, of]) => validateAttribute(of, each, [...path, each])),
  ];
}

function named(name: string, path: TfPath): readonly SchemaProblem[] {
  return NAME.test(name)
    ? []
    : [{ path, message: 'has a name with other than small letters, digits and underscores' }];
}

function validateNestedBlock(
  { nesting, block, minItems, maxItems }: NestedBlock,
  path: TfPath,
): readonly SchemaProblem[] {
  const counted = nesting === 'list' || nesting === 'set';
  const message =
    minItems < 0 || maxItems < 0
      ? 'has a negative number of blocks'
      : counted && maxItems !== 0 && minItems > maxItems
        ? 'has to be there more often than it may'
        : nesting === 'single' && (minItems !== maxItems || minItems > 1)
          ? 'is there once at most, so its numbers are both 0 or both 1'
          : (nesting === 'group' || nesting === 'map') && (minItems !== 0 || maxItems !== 0)
            ? `has numbers of blocks, which the nesting ${nesting} does not have`
            : nesting === 'set' && hasDynamic(impliedType(block))
              ? 'is a set of blocks without fixed types'
              : undefined;
  return message === undefined ? [] : [{ path, message }];
}
