import { Lexer } from 'yaml';

/**
 * Returns an upper bound of the YAML text's nesting, found without recursion. It adds the brackets that are open at
 * once, the deepest indentation, and the most list items begun on one line. Texts with a large bound are kept from a
 * parser that recurses.
 */
export function nestingBound(text: string): number {
  let open = 0;
  let deepest = 0;
  let indented = 0;
  let column = 0;
  let items = 0;
  let mostItems = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, (open += 1));
    else if (token === ']' || token === '}') open -= 1;
    else if (token === '-' || token === '?') mostItems = Math.max(mostItems, (items += 1));
    const lineEnd = token.lastIndexOf('\n');
    if (lineEnd >= 0) {
      [column, items] = [token.length - lineEnd - 1, 0];
    } else if (/^[ \t]+$/.test(token) && column === 0) {
      indented = Math.max(indented, token.length);
      column += token.length;
    } else {
      column += token.length;
    }
  }
  return deepest + indented + mostItems;
}
