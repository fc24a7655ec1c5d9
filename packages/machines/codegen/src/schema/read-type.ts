import type { Discriminator, ItemModel, TypeModel } from './model.js';
import type { Node } from './node.js';

/** Definitions of a schema, for references to it. */
export interface Definitions {
  /** Returns the token of an object or enum type, as it is spelled in `types`, or undefined if there is none. */
  type(token: string): { readonly token: string; readonly kind: 'object' | 'enum' | 'overlay' } | undefined;
  /** Returns the token of a resource, or undefined if there is none. */
  resource(token: string): { readonly token: string; readonly kind: 'resource' | 'overlay' } | undefined;
  readonly package: string;
  /** Records a package that is referred to. */
  refers(name: string): void;
}

const SCALARS: ReadonlySet<string> = new Set(['boolean', 'integer', 'number', 'string']);
const ANY: TypeModel = { kind: 'any' };
const BUILT_IN: Readonly<Record<string, TypeModel>> = {
  Any: ANY,
  Asset: { kind: 'asset' },
  Archive: { kind: 'archive' },
  Json: { kind: 'json' },
};

/** Reads the type at a position. An unreadable type becomes any value, and is reported. */
export function readType(node: Node, definitions: Definitions): TypeModel {
  if (!node.isObject()) return ANY;
  const oneOf = node.at('oneOf');
  if (oneOf.present) return readUnion(node, definitions);
  const reference = node.at('$ref');
  if (reference.present) return readReference(reference, node, definitions);
  const type = node.at('type').text();
  if (SCALARS.has(type)) return { kind: type as 'string' };
  if (type === 'array') return { kind: 'array', items: readItems(node.at('items'), definitions) };
  if (type === 'object' || (type === '' && node.at('additionalProperties').present)) {
    const values = node.at('additionalProperties');
    return values.present
      ? { kind: 'map', items: readItems(values, definitions) }
      : { kind: 'map', items: { type: { kind: 'string' }, plain: false } };
  }
  const at = node.at('type').present ? node.at('type') : node;
  at.error(
    type === '' ? 'has no type' : `"${type}" is not a type`,
    'Set "type" (boolean, integer, number, string, array, object), "$ref" or "oneOf".',
  );
  return ANY;
}

function readItems(node: Node, definitions: Definitions): ItemModel {
  if (!node.present) {
    node.error('the type of its elements is missing', 'Set the type here.');
    return { type: ANY, plain: false };
  }
  return { type: readType(node, definitions), plain: node.at('plain').flag() };
}

function readUnion(node: Node, definitions: Definitions): TypeModel {
  const members = node
    .at('oneOf')
    .items()
    .map((item) => readType(item, definitions));
  if (members.length === 0) node.at('oneOf').error('a union without members', 'List the types of the union.');
  return {
    kind: 'union',
    members,
    discriminator: readDiscriminator(node.at('discriminator'), members, definitions),
  };
}

function readDiscriminator(
  node: Node,
  members: readonly TypeModel[],
  definitions: Definitions,
): Discriminator | undefined {
  if (!node.present) return undefined;
  const values = new Map<string, string[]>();
  const tokens = new Set(members.flatMap((member) => (member.kind === 'object' ? [member.token] : [])));
  for (const [value, target] of node.at('mapping').members()) {
    const token = localToken(target.text(), 'types');
    const found = token === undefined ? undefined : definitions.type(token)?.token;
    if (found === undefined || !tokens.has(found)) {
      target.error(
        `the discriminator maps "${value}" to ${target.text()}, which is not a member of the union`,
        'Add it to "oneOf" or remove it from "mapping".',
      );
      continue;
    }
    values.set(found, [...(values.get(found) ?? []), value]);
  }
  const property = node.at('propertyName').text();
  if (property === '')
    node.error('a discriminator without "propertyName"', 'Name the property that distinguishes the members.');
  return property === '' ? undefined : { property, values };
}

function readReference(node: Node, owner: Node, definitions: Definitions): TypeModel {
  const text = node.text();
  const builtIn = /^pulumi\.json#\/(\w+)$/.exec(text)?.[1];
  if (builtIn !== undefined) {
    const type = BUILT_IN[builtIn];
    if (type === undefined) node.error(`${text} is not a built-in type`, 'Use Any, Archive, Asset or Json.');
    return type ?? ANY;
  }
  if (isOwnProvider(text, definitions))
    return { kind: 'resource', token: `pulumi:providers:${definitions.package}` };
  const external = externalReference(text);
  if (external !== undefined) {
    definitions.refers(external.reference.package);
    return external;
  }
  return localReference(text, node, owner, definitions);
}

/** Recognises the package's own provider. It has a section of its own, and a token like any resource. */
function isOwnProvider(text: string, definitions: Definitions): boolean {
  return text === '#/provider' || localToken(text, 'resources') === `pulumi:providers:${definitions.package}`;
}

function localReference(text: string, node: Node, owner: Node, definitions: Definitions): TypeModel {
  const type = localToken(text, 'types');
  const found = type === undefined ? undefined : definitions.type(type);
  if (found?.kind === 'object' || found?.kind === 'enum') return { kind: found.kind, token: found.token };
  // Providers name the resource that has a method among the types, too.
  const resource = localToken(text, 'resources') ?? (found === undefined ? type : undefined);
  const made = resource === undefined ? undefined : definitions.resource(resource);
  if (made?.kind === 'resource') return { kind: 'resource', token: made.token };
  if (found !== undefined || made !== undefined) return ANY;
  const general = owner.at('type').text();
  if (SCALARS.has(general)) {
    node.warning(
      `${text} is not in this schema; the type is treated as ${general}`,
      'Add the type, or leave "$ref" out.',
    );
    return { kind: general as 'string' };
  }
  const message = `${text} is not in this schema`;
  if (node.problems.dangling === 'warning')
    node.warning(`${message}; it is treated as any type`, 'Report it to the authors of the package.');
  else node.error(message, 'Add the type that it names, or correct the reference.');
  return ANY;
}

/** Returns the token in a reference to a definition in the same schema; percent signs may escape it. */
function localToken(text: string, section: 'types' | 'resources'): string | undefined {
  const start = `#/${section}/`;
  return text.startsWith(start) ? unescaped(text.slice(start.length)) : undefined;
}

function externalReference(text: string): Extract<TypeModel, { kind: 'external' }> | undefined {
  const parts = /^\/([^/]+)\/v?([^/]+)\/schema\.json#\/(?:(types|resources)\/(.+)|provider)$/.exec(text);
  if (parts === null) return undefined;
  const [, pkg = '', version = '', section, token = ''] = parts;
  const kind = section === 'types' ? 'object' : section === 'resources' ? 'resource' : 'provider';
  return { kind: 'external', reference: { package: pkg, version, kind, token: unescaped(token) } };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', '%2B')).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return text;
  }
}
