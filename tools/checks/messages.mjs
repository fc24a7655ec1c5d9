import ts from 'typescript';

/** Functions whose first text after a code is the summary of an error or warning. */
const REPORTS = new Set(['cairnError', 'errorDiagnostic', 'warningDiagnostic', 'fail']);
/** Files with the flags, arguments and commands of the command line. */
const TABLES = /\/cli\/src\/(?:commands\/table|flags)\/|\/options\/operation-options\.ts$/;

/**
 * Returns the messages in a source: literals of at least two words, with their line. `kind` is `hint`, `error` (summary
 * of an error), `flag` (summary in a table of the command line) or `text`. Inserted values become `…`.
 */
export function messagesOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const messages = [];
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const words = wordsOf(node);
    if (words !== undefined && /[\p{L}…`"'].* .*\p{L}/u.test(words)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      messages.push({ line, kind: kindOf(file, node), words });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return messages;
}

/** Returns the text of a literal in one line, or undefined for another node. */
function wordsOf(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return oneLine(node.text);
  if (!ts.isTemplateExpression(node)) return undefined;
  return oneLine(node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join(''));
}

const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim();

function kindOf(file, literal) {
  let node = literal;
  while (ts.isConditionalExpression(node.parent) && node.parent.condition !== node) node = node.parent;
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) && parent.initializer === node) {
    const name = parent.name.getText();
    // A choice of a prompt has a label; the hint beside it is a phrase.
    const isChoice = parent.parent.properties.some((each) => each.name?.getText() === 'label');
    if (name === 'hint' && !isChoice) return 'hint';
    if (name === 'summary' && TABLES.test(file)) return 'flag';
  }
  if (ts.isCallExpression(parent) && parent.arguments[1] === node && REPORTS.has(nameOf(parent)))
    return ts.isStringLiteral(parent.arguments[0]) ? 'error' : 'text';
  return 'text';
}

function nameOf({ expression }) {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}
