import type ts from 'typescript';

/** Use of an output as if it were its value. */
interface OutputUse {
  readonly node: ts.Node;
  readonly message: string;
}

const TEXT = 'an output is not a string: use interpolate`…` or apply';
const JSON_TEXT = 'it contains an output, which is not JSON: use jsonStringify';
const CONDITION = 'an output is always true: decide inside apply, where its value is known';
const ARITHMETIC = 'an output is not a number: compute inside apply, or from several with all([…]).apply';
const COMPARISON = 'an output equals nothing but itself: compare inside apply';
const AWAITED = 'an output cannot be awaited: use its value inside apply';

type TypeScript = typeof ts;

/**
 * Returns uses of outputs in a file that the compiler accepts, or rejects with an unhelpful message: as text, in JSON,
 * as a condition, in arithmetic, in comparisons, and after `await`.
 */
export function outputUses(compiler: TypeScript, program: ts.Program, file: ts.SourceFile): OutputUse[] {
  const checker = program.getTypeChecker();
  const found: OutputUse[] = [];
  const isOutput = (node: ts.Expression): boolean => outputType(compiler, checker.getTypeAtLocation(node));
  const note = (node: ts.Expression, message: string): void => {
    if (isOutput(node)) found.push({ node, message });
  };
  const visit = (node: ts.Node): void => {
    if (compiler.isTemplateExpression(node) && !compiler.isTaggedTemplateExpression(node.parent)) {
      for (const { expression } of node.templateSpans) note(expression, TEXT);
    } else if (compiler.isBinaryExpression(node)) {
      const message = operatorMessage(compiler, node.operatorToken.kind);
      const isText = [node.left, node.right].some((side) =>
        checker
          .typeToString(checker.getBaseTypeOfLiteralType(checker.getTypeAtLocation(side)))
          .includes('string'),
      );
      if (message === CONDITION) note(node.left, message);
      else if (message !== undefined && (isOutput(node.left) || isOutput(node.right)))
        found.push({ node, message: message === ARITHMETIC && isText ? TEXT : message });
    } else if (compiler.isAwaitExpression(node)) note(node.expression, AWAITED);
    else if (compiler.isPrefixUnaryExpression(node)) {
      note(node.operand, node.operator === compiler.SyntaxKind.ExclamationToken ? CONDITION : ARITHMETIC);
    } else if (compiler.isConditionalExpression(node)) note(node.condition, CONDITION);
    else if (compiler.isIfStatement(node) || compiler.isWhileStatement(node) || compiler.isDoStatement(node))
      note(node.expression, CONDITION);
    else if (compiler.isCallExpression(node) && node.expression.getText(file) === 'JSON.stringify') {
      const [value] = node.arguments;
      if (value !== undefined && holdsOutput(compiler, checker, value))
        found.push({ node, message: JSON_TEXT });
    }
    compiler.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function operatorMessage(compiler: TypeScript, kind: ts.SyntaxKind): string | undefined {
  const { SyntaxKind } = compiler;
  if (kind === SyntaxKind.AmpersandAmpersandToken || kind === SyntaxKind.BarBarToken) return CONDITION;
  const comparisons = [
    ...[SyntaxKind.EqualsEqualsToken, SyntaxKind.EqualsEqualsEqualsToken],
    ...[SyntaxKind.ExclamationEqualsToken, SyntaxKind.ExclamationEqualsEqualsToken],
    ...[SyntaxKind.LessThanToken, SyntaxKind.LessThanEqualsToken],
    ...[SyntaxKind.GreaterThanToken, SyntaxKind.GreaterThanEqualsToken],
  ];
  if (comparisons.includes(kind)) return COMPARISON;
  const operators = [
    ...[SyntaxKind.PlusToken, SyntaxKind.MinusToken, SyntaxKind.AsteriskToken, SyntaxKind.SlashToken],
    ...[SyntaxKind.PercentToken, SyntaxKind.AsteriskAsteriskToken, SyntaxKind.PlusEqualsToken],
  ];
  return operators.includes(kind) ? ARITHMETIC : undefined;
}

/** Returns true if a type is that of our outputs, which have a property that no other type has. */
function outputType(compiler: TypeScript, type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some((part) => outputType(compiler, part));
  return type
    .getProperties()
    .some(
      ({ escapedName }) =>
        String(escapedName).startsWith('__@SOURCE@') && type.getProperty('apply') !== undefined,
    );
}

/** Returns true if a value, or a part of its literals at any depth, is an output. */
function holdsOutput(compiler: TypeScript, checker: ts.TypeChecker, value: ts.Expression): boolean {
  if (outputType(compiler, checker.getTypeAtLocation(value))) return true;
  const parts: ts.Expression[] = [];
  if (compiler.isArrayLiteralExpression(value)) parts.push(...value.elements);
  if (compiler.isObjectLiteralExpression(value))
    for (const property of value.properties) {
      if (compiler.isPropertyAssignment(property)) parts.push(property.initializer);
      if (compiler.isShorthandPropertyAssignment(property)) parts.push(property.name);
      if (compiler.isSpreadAssignment(property)) parts.push(property.expression);
    }
  if (parts.some((part) => holdsOutput(compiler, checker, part))) return true;
  if (compiler.isObjectLiteralExpression(value) || compiler.isArrayLiteralExpression(value)) return false;
  const type = checker.getTypeAtLocation(value);
  return type
    .getProperties()
    .some((property) => outputType(compiler, checker.getTypeOfSymbolAtLocation(property, value)));
}
