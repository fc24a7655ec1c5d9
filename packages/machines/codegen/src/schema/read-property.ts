import { readType } from './read-type.js';
import type { Definitions } from './read-type.js';
import type { DefaultModel, Documented, PropertyModel, Scalar, TypeModel } from './model.js';
import type { Node } from './node.js';

/** Rules about required and plain properties, besides the properties' own. */
interface PropertyRules {
  /** List of names, or absent. */
  readonly required: Node;
  readonly plain?: Node | undefined;
  /** Names of properties that every output contains in addition. */
  readonly reported?: Node | undefined;
  /** Names that properties must not have. */
  readonly forbidden?: ReadonlySet<string>;
}

/** Reads properties by name, in the order of their names. */
export function readProperties(
  node: Node,
  rules: PropertyRules,
  definitions: Definitions,
): readonly PropertyModel[] {
  const members = node.members();
  const names = new Set(members.map(([name]) => name));
  for (const item of rules.required.items()) {
    if (!names.has(item.text()))
      item.error(
        `"${item.text()}" is required but is not a property`,
        'Add the property or remove its name.',
      );
  }
  const required = new Set(rules.required.texts());
  const plain = new Set(rules.plain?.texts() ?? []);
  const reported = new Set(rules.reported?.texts() ?? []);
  return members.flatMap(([name, property]) => {
    if (rules.forbidden?.has(name) === true) {
      property.warning(
        `a property cannot be called "${name}": every resource has one`,
        'Give it another name.',
      );
      return [];
    }
    return [
      {
        ...readProperty(name, property, definitions),
        required: required.has(name),
        reported: required.has(name) || reported.has(name),
        plain: plain.has(name) || property.at('plain').flag(),
      },
    ];
  });
}

function readProperty(
  name: string,
  node: Node,
  definitions: Definitions,
): Omit<PropertyModel, 'required' | 'reported' | 'plain'> {
  const type = readType(node, definitions);
  return {
    name,
    type,
    secret: node.at('secret').flag(),
    replaceOnChange: node.at('replaceOnChanges').flag(),
    constant: scalarOf(node.at('const'), type),
    standard: readDefault(node, type),
    ...readDocumentation(node),
  };
}

/** Reads the documentation of any definition. */
export function readDocumentation(node: Node): Documented {
  return { description: node.at('description').text(), deprecated: node.at('deprecationMessage').text() };
}

function readDefault(node: Node, type: TypeModel): DefaultModel | undefined {
  const value = scalarOf(node.at('default'), type);
  const environment = node.at('defaultInfo').at('environment').texts();
  return value === undefined && environment.length === 0 ? undefined : { value, environment };
}

function scalarOf(node: Node, type: TypeModel): Scalar | undefined {
  const { value } = node;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    node.error('must be a string, a number, true or false', 'Give a single value.');
    return undefined;
  }
  const wanted = SCALAR_TYPES[type.kind];
  if (wanted !== undefined && wanted !== typeof value) {
    node.error(
      `is a ${typeof value}, and the property of type ${type.kind}`,
      'Give a value of the type of the property.',
    );
    return undefined;
  }
  return value;
}

const SCALAR_TYPES: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  string: 'string',
};
