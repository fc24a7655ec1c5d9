import { ITEM, eachExpression } from '../syntax/ast.js';
import type { Expression, Position } from '../syntax/ast.js';

/** A name or function an expression uses, and where. */
export interface Use {
  readonly name: string;
  readonly at: Position;
}

/** Names an expression takes from outside; those its own `for` makes are its own. */
export function namesIn(expression: Expression): readonly Use[] {
  const own = new Set<string>([ITEM]);
  const uses: Use[] = [];
  eachExpression(expression, (each) => {
    if (each.t === 'for') {
      own.add(each.valueName);
      if (each.keyName !== undefined) own.add(each.keyName);
    }
    if (each.t === 'name') uses.push({ name: each.name, at: each.at });
  });
  return uses.filter(({ name }) => !own.has(name));
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
