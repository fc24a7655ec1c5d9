import { ITEM, eachExpression, partsOf } from '../syntax/ast.js';
import type { Expression, Position } from '../syntax/ast.js';

/** Use of a name or function in an expression, with its position. */
interface Use {
  readonly name: string;
  readonly at: Position;
}

/** Returns the names that an expression takes from outside. Names that its `for` makes are local to that `for`. */
export function namesIn(expression: Expression): readonly Use[] {
  if (expression.t === 'name')
    return expression.name === ITEM ? [] : [{ name: expression.name, at: expression.at }];
  if (expression.t !== 'for') return partsOf(expression).flatMap(namesIn);
  const { of, keyName, valueName } = expression;
  const inner = partsOf(expression).filter((part) => part !== of);
  return [
    ...namesIn(of),
    ...inner.flatMap(namesIn).filter(({ name }) => name !== keyName && name !== valueName),
  ];
}

/** Returns the functions that an expression calls. */
export function callsIn(expression: Expression): readonly Use[] {
  const uses: Use[] = [];
  eachExpression(expression, (each) => {
    if (each.t === 'call') uses.push({ name: each.name, at: each.at });
  });
  return uses;
}

/**
 * Returns the property path that an expression means in an option such as ignoreChanges: `a.b[0]`, or a text. Returns
 * `undefined` if it is not a path.
 */
export function pathOf(expression: Expression): string | undefined {
  switch (expression.t) {
    case 'literal':
      return typeof expression.value === 'string' ? expression.value : undefined;
    case 'name':
      return expression.name;
    case 'property': {
      const of = pathOf(expression.of);
      return of === undefined ? undefined : `${of}.${expression.name}`;
    }
    case 'index': {
      const of = pathOf(expression.of);
      if (of === undefined || expression.key.t !== 'literal') return undefined;
      return `${of}[${JSON.stringify(expression.key.value)}]`;
    }
    case 'splat': {
      const of = pathOf(expression.of);
      const rest = pathOf(expression.rest);
      return of === undefined || rest === undefined ? undefined : `${of}[*]${rest}`;
    }
    default:
      return undefined;
  }
}
