import type { ShapeSpec } from '@cairn/provider-sdk/protocols';

/** Names of one shape's properties in both spellings. */
export interface Names {
  /** Property to attribute. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Attribute to property. */
  readonly properties: ReadonlyMap<string, string>;
}

/** Arguments of blocks that belong to the language itself. */
const RESERVED = new Set([
  'connection',
  'count',
  'depends_on',
  'for_each',
  'lifecycle',
  'provider',
  'provisioner',
]);

const tables = new WeakMap<ShapeSpec, Names>();

/** Returns the names of the properties of a nested object. */
export function nestedNames(shape: ShapeSpec): Names {
  let table = tables.get(shape);
  if (table === undefined) tables.set(shape, (table = attributeNames(Object.keys(shape))));
  return table;
}

/**
 * Returns attribute names of properties, in snake case. A name that is taken, or that `reserved` lists as the
 * language's own, gets a number. They depend on the names alone, not on their order.
 */
// [TFS-1]
export function attributeNames(
  properties: readonly string[],
  reserved: ReadonlySet<string> = new Set(),
): Names {
  const attributes = new Map<string, string>();
  const back = new Map<string, string>();
  for (const property of [...new Set(properties)].sort()) {
    const wanted = snakeCase(property);
    let name = wanted;
    for (let at = 2; reserved.has(name) || back.has(name); at += 1) name = `${wanted}_${at}`;
    attributes.set(property, name);
    back.set(name, property);
  }
  return { attributes, properties: back };
}

/** Applies {@link attributeNames} to the attributes of a resource, whose `id` is the object's own. */
export const resourceNames = (properties: readonly string[]): Names =>
  attributeNames(properties, new Set([...RESERVED, 'id']));

/** Applies {@link attributeNames} to the arguments of a data source. */
export const dataSourceNames = (properties: readonly string[]): Names => attributeNames(properties, RESERVED);

/** Applies {@link attributeNames} to the configuration of a provider. */
export const configNames = (properties: readonly string[]): Names =>
  attributeNames(properties, new Set(['alias', 'version', ...RESERVED]));

/** Converts `minUpper` to `min_upper`, and `privateKeyPEM` to `private_key_pem`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .replace(/[^\p{L}\p{N}_]+/gu, '_')
    .toLowerCase();
}

/** Converts `index:joinWords` to `join_words`. */
export function terraformFunctionName(token: string): string {
  return ownName(token).map(snakeCase).join('_');
}

/** Converts `boxes` and `index:BigBox` to `boxes_big_box`. Modules other than `index` are part of the name. */
export function terraformTypeName(packageName: string, token: string): string {
  return [packageName.toLowerCase().replace(/[^a-z0-9-]+/g, '-'), ...ownName(token).map(snakeCase)].join('_');
}

function ownName(token: string): readonly string[] {
  const [module = '', name = ''] = token.split(':', 2);
  return module === 'index' ? [name] : [module, name];
}
