/** Position in the code, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The body of a resource: attributes by name, and blocks. */
export interface Body {
  readonly attributes: ReadonlyMap<string, AttributeNode>;
  readonly blocks: readonly BlockNode[];
}

export interface AttributeNode {
  readonly name: string;
  readonly value: Expression;
  readonly at: Position;
}

export interface BlockNode {
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: Body;
  readonly at: Position;
}

export type BinaryOperator =
  '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%';

/** Name of the item in the rest of a splat; code cannot write this name. */
export const ITEM = '';

/** An expression. `at`: position of its start. */
export type Expression = { readonly at: Position } & (
  | { readonly t: 'literal'; readonly value: string | number | boolean | null }
  /** Texts and interpolated values in turn. */
  | { readonly t: 'template'; readonly parts: readonly Expression[] }
  | { readonly t: 'list'; readonly items: readonly Expression[] }
  | { readonly t: 'object'; readonly items: readonly ObjectItem[] }
  | { readonly t: 'name'; readonly name: string }
  | { readonly t: 'property'; readonly of: Expression; readonly name: string }
  | { readonly t: 'index'; readonly of: Expression; readonly key: Expression }
  /** Applies `rest` to every item, as in `of[*].rest`. In `rest` the name {@link ITEM} is the item. */
  | { readonly t: 'splat'; readonly of: Expression; readonly rest: Expression }
  /** `expand`: the last argument is a list, and its items are the last arguments, as in `max(list...)`. */
  | {
      readonly t: 'call';
      readonly name: string;
      readonly args: readonly Expression[];
      readonly expand: boolean;
    }
  | { readonly t: 'unary'; readonly operator: '-' | '!'; readonly operand: Expression }
  | {
      readonly t: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly t: 'conditional';
      readonly test: Expression;
      readonly yes: Expression;
      readonly no: Expression;
    }
  | For
);

export interface ObjectItem {
  readonly key: Expression;
  readonly value: Expression;
}

/** `[for k, v in of : value if test]`, or with `key =>` an object, or with `key => value...` an object of lists. */
export interface For {
  readonly t: 'for';
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly of: Expression;
  /** Key of an entry; `undefined` if the result is a list. */
  readonly key: Expression | undefined;
  readonly value: Expression;
  /** True if the values of equal keys become a list; otherwise two equal keys are an error. */
  readonly group: boolean;
  readonly test: Expression | undefined;
}

/** Calls `visit` for the expression and every part of it, outermost first. */
export function eachExpression(expression: Expression, visit: (each: Expression) => void): void {
  visit(expression);
  for (const part of partsOf(expression)) eachExpression(part, visit);
}

/** Returns the parts of an expression, in order. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.t) {
    case 'literal':
    case 'name':
      return [];
    case 'template':
      return expression.parts;
    case 'list':
      return expression.items;
    case 'object':
      return expression.items.flatMap(({ key, value }) => [key, value]);
    case 'property':
      return [expression.of];
    case 'index':
      return [expression.of, expression.key];
    case 'splat':
      return [expression.of, expression.rest];
    case 'call':
      return expression.args;
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.test, expression.yes, expression.no];
    case 'for': {
      const { of, key, value, test } = expression;
      return [of, value, ...(key === undefined ? [] : [key]), ...(test === undefined ? [] : [test])];
    }
  }
}
