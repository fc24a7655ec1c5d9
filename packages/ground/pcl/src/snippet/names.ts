import { ITEM, eachExpression, partsOf } from '../syntax/ast.js';
import type { Expression, Position } from '../syntax/ast.js';

/** A name or function an expression uses, and where. */
interface Use {
  readonly name: string;
  readonly at: Position;
}

/** Names an expression takes from outside; those that its `for` makes are its own inside of that. */
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

/** Functions an expression calls. */
export function callsIn(expression: Expression): readonly Use[] {
  const uses: Use[] = [];
  eachExpression(expression, (each) => {
    if (each.t === 'call') uses.push({ name: each.name, at: each.at });
  });
  return uses;
}

/**
 * The property path that an option such as ignoreChanges means by an expression: `a.b[0]`, or a text. Undefined: it is
 * none.
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
