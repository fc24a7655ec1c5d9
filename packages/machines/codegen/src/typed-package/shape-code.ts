import type { ObjectTypeModel, PackageModel, PropertyModel, TypeModel } from '../schema/model.js';
import { literalCode } from '../source/plain-code.js';

/** Facts about properties for the SDK at run time; empty members are undefined. */
export interface ShapeLiteral {
  readonly required?: readonly string[] | undefined;
  readonly constants?: object | undefined;
  readonly defaults?: object | undefined;
  readonly nested?: object | undefined;
  readonly secrets?: readonly string[] | undefined;
  readonly secretOutputs?: readonly string[] | undefined;
  readonly replaceOnChanges?: readonly string[] | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly deprecated?: string | undefined;
  readonly json?: readonly string[] | undefined;
}

/** Returns the shape of properties that a program sets. `withDefaults` are tokens of object types with defaults. */
export function inputShape(
  properties: readonly PropertyModel[],
  withDefaults: ReadonlySet<string>,
): ShapeLiteral {
  const named = (chosen: (property: PropertyModel) => boolean) =>
    listOrNothing(properties.filter(chosen).map(({ name }) => name));
  return {
    required: named(({ required, constant }) => required && constant === undefined),
    constants: entries(properties, ({ constant }) => constant),
    defaults: entries(properties, defaultSpec),
    nested: entries(properties, ({ type }) => nestedSpec(type, withDefaults)),
    secrets: named(({ secret }) => secret),
  };
}

/** Returns the default of a property in the SDK's form. */
export function defaultSpec({ standard, type }: PropertyModel): object | undefined {
  if (standard === undefined) return undefined;
  const read = type.kind === 'boolean' ? 'boolean' : isNumber(type) ? 'number' : undefined;
  const { value, environment } = standard;
  return { value, ...(environment.length > 0 && { env: environment, ...(read && { type: read }) }) };
}

/** Returns tokens of object types that have defaults, themselves or in their parts. */
export function typesWithDefaults({ objects }: PackageModel): ReadonlySet<string> {
  const found = new Set<string>();
  const has = ({ properties }: ObjectTypeModel): boolean =>
    properties.some(({ standard, type }) => standard !== undefined || nestedSpec(type, found) !== undefined);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const [token, object] of objects) if (!found.has(token) && has(object)) found.add(token);
  }
  return found;
}

/** Returns the file with the shapes of those types. */
export function defaultsCode({ objects }: PackageModel, withDefaults: ReadonlySet<string>): string {
  const rows = [...withDefaults].sort().map((token) => {
    const { defaults, nested } = inputShape(objects.get(token)?.properties ?? [], withDefaults);
    return `  ${literalCode(token)}: ${literalCode({ defaults, nested })},\n`;
  });
  return `module.exports = () => ({\n${rows.join('')}});\n`;
}

export function listOrNothing<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function nestedSpec(type: TypeModel, withDefaults: ReadonlySet<string>): object | undefined {
  if (type.kind === 'object') return withDefaults.has(type.token) ? { type: type.token } : undefined;
  if (type.kind !== 'array' && type.kind !== 'map') return undefined;
  const items = nestedSpec(type.items.type, withDefaults);
  return items === undefined ? undefined : { items };
}

function entries(
  properties: readonly PropertyModel[],
  pick: (property: PropertyModel) => unknown,
): object | undefined {
  const found = properties.map((property) => [property.name, pick(property)] as const);
  const said = found.filter(([, value]) => value !== undefined);
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

function isNumber({ kind }: TypeModel): boolean {
  return kind === 'integer' || kind === 'number';
}
