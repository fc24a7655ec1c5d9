import { pclError } from '@cairn/pcl';
import type { Expression } from '@cairn/pcl';
import { unreachable } from '@cairn/diagnostics';
import type { PackageModel, TypeModel } from '../schema/model.js';
import { propertyKey } from '../source/literal.js';

/** Known facts about a value of a program: enough to choose conversions and find members. */
export type ValueType =
  | { readonly kind: 'string' | 'number' | 'boolean' | 'any' }
  | { readonly kind: 'list' | 'map'; readonly item: ValueType }
  | { readonly kind: 'object'; readonly properties: () => ReadonlyMap<string, ValueType> }
  /** Resource or component: its members are outputs. */
  | { readonly kind: 'resource'; readonly className: string; readonly members: TypeMembers };

/** Members of a resource. */
export interface TypeMembers {
  /** Returns undefined if there is none of that name. */
  output(name: string): Member | undefined;
  method(name: string): Method | undefined;
}

interface Member {
  /** Name in the code. */
  readonly name: string;
  readonly type: ValueType;
}

export interface Method extends Member {
  readonly inputs: ReadonlyMap<string, ValueType>;
  /** True if it returns a promise of a plain value rather than an output. */
  readonly plain: boolean;
  /** Only property of its result, if it returns that rather than the result. */
  readonly only: string | undefined;
}

export const ANY: ValueType = { kind: 'any' };
export const STRING: ValueType = { kind: 'string' };
export const NUMBER: ValueType = { kind: 'number' };
export const BOOLEAN: ValueType = { kind: 'boolean' };

/** Returns the type that a schema names. */
export function typeOfModel(type: TypeModel, model: PackageModel): ValueType {
  switch (type.kind) {
    case 'boolean':
      return BOOLEAN;
    case 'integer':
    case 'number':
      return NUMBER;
    case 'string':
      return STRING;
    case 'array':
      return { kind: 'list', item: typeOfModel(type.items.type, model) };
    case 'map':
      return { kind: 'map', item: typeOfModel(type.items.type, model) };
    case 'object':
      return {
        kind: 'object',
        properties: () =>
          new Map(
            (model.objects.get(type.token)?.properties ?? []).map((property) => [
              property.name,
              typeOfModel(property.type, model),
            ]),
          ),
      };
    case 'enum':
      return { kind: model.enums.get(type.token)?.type ?? 'string' };
    case 'any':
    case 'asset':
    case 'archive':
    case 'json':
    case 'resource':
    case 'external':
    case 'union':
      return ANY;
    default:
      return unreachable(type);
  }
}

const SCALARS: Readonly<Record<string, ValueType>> = {
  string: STRING,
  number: NUMBER,
  int: NUMBER,
  bool: BOOLEAN,
  any: ANY,
};

/** Returns the declared type of a configuration value, such as `list(string)`. */
export function declaredType(expression: Expression): ValueType {
  if (expression.t === 'name') {
    const known = Object.hasOwn(SCALARS, expression.name) ? SCALARS[expression.name] : undefined;
    if (known !== undefined) return known;
  }
  if (expression.t === 'call') {
    const [of] = expression.args;
    if (of !== undefined) {
      if (expression.name === 'list' || expression.name === 'set')
        return { kind: 'list', item: declaredType(of) };
      if (expression.name === 'map') return { kind: 'map', item: declaredType(of) };
      if (expression.name === 'optional') return declaredType(of);
      if (expression.name === 'object' && of.t === 'object') {
        const properties = new Map(
          of.items.map(({ key, value }) => [
            key.t === 'literal' ? String(key.value) : '',
            declaredType(value),
          ]),
        );
        return { kind: 'object', properties: () => properties };
      }
    }
  }
  throw pclError('this is not a type: string, number, int, bool, any, list, map, object are', expression.at);
}

/** Returns the type in TypeScript. */
export function typeText(type: ValueType): string {
  switch (type.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'any':
      return type.kind;
    case 'list':
      return `readonly ${itemText(type.item)}[]`;
    case 'map':
      return `Record<string, ${typeText(type.item)}>`;
    case 'object': {
      const members = [...type.properties()].map(([name, of]) => `${propertyKey(name)}: ${typeText(of)}`);
      return members.length === 0 ? 'object' : `{ ${members.join('; ')} }`;
    }
    case 'resource':
      return type.className;
    default:
      return unreachable(type);
  }
}

function itemText(type: ValueType): string {
  return type.kind === 'list' ? `(${typeText(type)})` : typeText(type);
}
