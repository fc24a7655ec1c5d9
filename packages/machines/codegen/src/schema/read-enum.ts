import type { EnumMember, EnumModel, Scalar } from './model.js';
import type { Node } from './node.js';
import { readDocumentation } from './read-property.js';

const TYPES = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean' } as const;

/** Reads an enum type with its members in the order of the schema. */
export function readEnum(token: string, node: Node): EnumModel {
  const stated = node.at('type').text();
  const type = (TYPES as Readonly<Record<string, EnumModel['type']>>)[stated];
  if (type === undefined)
    node.at('type').error(`an enum cannot be of type "${stated}"`, 'Use string, integer, number or boolean.');
  const members = node
    .at('enum')
    .items()
    .flatMap((member) => readMember(member, type ?? 'string'));
  return { token, type: type ?? 'string', members: distinct(members), ...readDocumentation(node) };
}

function readMember(node: Node, type: EnumModel['type']): readonly EnumMember[] {
  if (!node.isObject()) return [];
  const { value } = node.at('value');
  if (typeof value !== type) {
    node.at('value').error(`must be a ${type}, like the enum`, 'Give a value of the type of the enum.');
    return [];
  }
  const name = node.at('name').text() || String(value);
  return [{ name, value: value as Scalar, ...readDocumentation(node) }];
}

/** Removes duplicates of values. */
function distinct(members: readonly EnumMember[]): readonly EnumMember[] {
  return [...new Map([...members].reverse().map((member) => [member.value, member])).values()].reverse();
}
