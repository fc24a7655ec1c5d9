import ts from 'typescript';

/** Operators and their opposites. */
const TURNED = {
  '&&': '||',
  '||': '&&',
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

/**
 * Every boolean operator of a source text that can be turned around: `{start, end, line, was, text}`. `!x` loses its
 * sign. Types have none.
 */
export function operatorsIn(source, name = 'source.ts') {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, text) => {
    const start = node.getStart(file);
    const { line } = file.getLineAndCharacterOfPosition(start);
    found.push({ start, end: node.getEnd(), line: line + 1, was: node.getText(file), text });
  };
  const visit = (node) => {
    if (ts.isBinaryExpression(node)) {
      const text = TURNED[node.operatorToken.getText(file)];
      if (text !== undefined) add(node.operatorToken, text);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      add(node, `(${node.operand.getText(file)})`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.sort((a, b) => a.start - b.start);
}

/** `count` of the items, drawn without repetition; the same for the same seed (a linear congruential generator). */
export function drawn(items, count, seed) {
  const left = [...items];
  let state = seed >>> 0;
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const chosen = [];
  while (left.length > 0 && chosen.length < count)
    chosen.push(...left.splice(Math.floor(random() * left.length), 1));
  return chosen;
}
