import { getProperty, isArray, isMap, isUnknown, newMap } from '@cairn/values';
import type { PropertyArray, PropertyValue } from '@cairn/values';
import { unreachable } from '@cairn/diagnostics';
import { pclError } from '../pcl-error.js';
import { ITEM } from '../syntax/ast.js';
import type { Expression, For, Position } from '../syntax/ast.js';
import { FUNCTIONS, sortedEntries } from './functions.js';
import { bare, lift, liftAsync } from './lift.js';
import { applyBinary, boolean, kind, number, text } from './operators.js';

/** Meaning of names and functions in an expression. */
export interface Scope {
  /** Returns the value of a variable, or `undefined` if there is no such name. */
  variable(name: string): PropertyValue | undefined;
  /** Returns the value of a missing property: null, or unknown where the owner is not complete yet (preview). */
  missing(name: string): PropertyValue;
  /**
   * Calls a function that needs something from outside. Returns `undefined` if there is no such function. Arguments may
   * be secret or unknown.
   */
  call(name: string, args: readonly PropertyValue[], at: Position): Promise<PropertyValue> | undefined;
}

/** Computes an expression. Secrets remain marked, unknowns remain unknown. Throws a CairnError with the position. */
export async function evaluate(expression: Expression, scope: Scope): Promise<PropertyValue> {
  switch (expression.t) {
    case 'literal':
      return expression.value;
    case 'template': {
      const parts = await all(expression.parts, scope);
      return lift(parts, (plain) => plain.map((part) => text(part, expression.at)).join(''));
    }
    case 'list':
      return all(expression.items, scope);
    case 'object':
      return objectOf(expression.items, scope, expression.at);
    case 'name':
      return variable(expression.name, scope, expression.at);
    case 'property':
    case 'index':
      return member(expression, scope);
    case 'splat':
      return splat(expression, scope);
    case 'call':
      return call(expression, scope);
    case 'unary': {
      const { operator, operand, at } = expression;
      return lift([await evaluate(operand, scope)], ([value = null]) =>
        operator === '-' ? -number(value, at) : !boolean(value, at),
      );
    }
    case 'binary': {
      const { operator, left, right, at } = expression;
      const sides = await all([left, right], scope);
      return lift(sides, ([a = null, b = null]) => applyBinary(operator, a, b, at));
    }
    case 'conditional': {
      const { test, yes, no, at } = expression;
      const known = await evaluate(test, scope);
      return liftAsync([known], ([value = null]) => evaluate(boolean(value, at) ? yes : no, scope));
    }
    case 'for':
      return forEach(expression, scope, expression.at);
    default:
      return unreachable(expression);
  }
}

function all(expressions: readonly Expression[], scope: Scope): Promise<PropertyValue[]> {
  return Promise.all(expressions.map((each) => evaluate(each, scope)));
}

function variable(name: string, scope: Scope, at: Position): PropertyValue {
  const value = scope.variable(name);
  if (value === undefined) throw pclError(`there is no "${name}" here`, at);
  return value;
}

async function objectOf(
  items: readonly { readonly key: Expression; readonly value: Expression }[],
  scope: Scope,
  at: Position,
): Promise<PropertyValue> {
  const keys = await all(
    items.map((item) => item.key),
    scope,
  );
  const values = await all(
    items.map((item) => item.value),
    scope,
  );
  return lift(keys, (plain) => {
    const map = newMap();
    plain.forEach((key, index) => (map[text(key, at)] = values[index] ?? null));
    return map;
  });
}

async function member(
  expression: Extract<Expression, { readonly t: 'property' | 'index' }>,
  scope: Scope,
): Promise<PropertyValue> {
  const { of, at } = expression;
  const owner = await evaluate(of, scope);
  const key = expression.t === 'property' ? expression.name : await evaluate(expression.key, scope);
  const absent = of.t === 'name' ? scope.missing(of.name) : null;
  return lift([owner, key], ([value = null, name = null]) => {
    if (isArray(value)) return value[number(name, at)] ?? null;
    if (isMap(value)) return getProperty(value, text(name, at)) ?? absent;
    throw pclError(`${kind(value)} has no "${text(name, at)}"`, at);
  });
}

async function splat(
  { of, rest }: Extract<Expression, { readonly t: 'splat' }>,
  scope: Scope,
): Promise<PropertyValue> {
  return liftAsync([await evaluate(of, scope)], async ([value = null]) => {
    const items = isArray(value) ? value : value === null ? [] : [value];
    return Promise.all(items.map((item) => evaluate(rest, scopeWith(scope, { [ITEM]: item }))));
  });
}

async function call(
  { name, args, expand, at }: Extract<Expression, { readonly t: 'call' }>,
  scope: Scope,
): Promise<PropertyValue> {
  const given = await all(args, scope);
  if (!expand) return callWith(name, given, scope, at);
  return liftAsync([given.at(-1) ?? null], async ([last = null]) => {
    if (!isArray(last)) throw pclError(`"..." must follow a list, not ${kind(last)}`, at);
    return callWith(name, [...given.slice(0, -1), ...last], scope, at);
  });
}

async function callWith(
  name: string,
  values: readonly PropertyValue[],
  scope: Scope,
  at: Position,
): Promise<PropertyValue> {
  const outside = scope.call(name, values, at);
  if (outside !== undefined) return outside;
  if (name === 'unsecret') return bare(values[0] ?? null);
  const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (known === undefined) throw pclError(`there is no function "${name}"`, at);
  return lift(values, (plain) => known(plain, at));
}

async function forEach(loop: For, scope: Scope, at: Position): Promise<PropertyValue> {
  return liftAsync([await evaluate(loop.of, scope)], async ([of = null]) => {
    const entries: { readonly key: PropertyValue; readonly value: PropertyValue }[] = [];
    // Values that decide which items exist, or their keys. If one of them is secret or unknown, so is the result.
    const deciding: PropertyValue[] = [];
    for (const [key, value] of pairsOf(of, at)) {
      const names = {
        [loop.valueName]: value,
        ...(loop.keyName === undefined ? {} : { [loop.keyName]: key }),
      };
      const inner = scopeWith(scope, names);
      if (loop.test !== undefined) {
        const passes = await evaluate(loop.test, inner);
        deciding.push(passes);
        if (isUnknown(bare(passes)) || !boolean(bare(passes), loop.test.at)) continue;
      }
      const made = loop.key === undefined ? null : await evaluate(loop.key, inner);
      deciding.push(made);
      entries.push({ key: made, value: await evaluate(loop.value, inner) });
    }
    return lift(deciding, () =>
      loop.key === undefined ? entries.map(({ value }) => value) : keyed(loop, loop.key.at, entries),
    );
  });
}

function keyed(
  { group }: For,
  at: Position,
  entries: readonly { readonly key: PropertyValue; readonly value: PropertyValue }[],
): PropertyValue {
  const map = newMap();
  for (const { key, value } of entries) {
    const name = text(bare(key), at);
    const before = getProperty(map, name);
    if (before !== undefined && !group)
      throw pclError(
        `"for" makes the key ${JSON.stringify(name)} twice; write "..." after the value to make lists`,
        at,
      );
    map[name] = !group ? value : before === undefined ? [value] : [...(before as PropertyArray), value];
  }
  return map;
}

/** Returns the items of a list by index, or those of an object in the order of its keys. */
function pairsOf(of: PropertyValue, at: Position): readonly (readonly [PropertyValue, PropertyValue])[] {
  if (isArray(of)) return of.map((value, index) => [index, value] as const);
  if (isMap(of)) return sortedEntries(of);
  throw pclError(`"for" goes through lists and objects, not ${kind(of)}`, at);
}

/** Returns the scope with more names. */
export function scopeWith(scope: Scope, names: Readonly<Record<string, PropertyValue>>): Scope {
  return {
    variable: (name) => (Object.hasOwn(names, name) ? names[name] : scope.variable(name)),
    missing: (name) => (Object.hasOwn(names, name) ? null : scope.missing(name)),
    call: (name, args, at) => scope.call(name, args, at),
  };
}
