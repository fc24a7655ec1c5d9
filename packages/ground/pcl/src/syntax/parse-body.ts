import { pclError } from '../pcl-error.js';
import type { AttributeNode, BlockNode, Body } from './ast.js';
import { Cursor } from './cursor.js';
import { ExpressionParser } from './parse-expression.js';

/** Parses the body of a resource: attributes and blocks, one per line. Throws a CairnError with the position. */
export function parsePclBody(code: string): Body {
  const cursor = new Cursor(code);
  const body = bodyAt(cursor);
  if (!cursor.done) throw cursor.unexpected('an attribute or a block was expected');
  return body;
}

function bodyAt(cursor: Cursor): Body {
  const attributes = new Map<string, AttributeNode>();
  const blocks: BlockNode[] = [];
  for (;;) {
    cursor.skip(true);
    const at = cursor.position();
    const name = cursor.identifier();
    if (name === undefined) return { attributes, blocks };
    cursor.skip(false);
    if (cursor.ahead('=') && !cursor.ahead('==')) {
      cursor.take('=');
      if (attributes.has(name)) throw pclError(`attribute '${name}' occurs twice`, at);
      const value = new ExpressionParser(cursor).expression(false);
      attributes.set(name, { name, value, at });
    } else {
      blocks.push(blockAt(cursor, name, at));
    }
    endOfLine(cursor);
  }
}

function blockAt(cursor: Cursor, type: string, at: BlockNode['at']): BlockNode {
  const labels: string[] = [];
  while (!cursor.ahead('{')) {
    const label = cursor.next === '"' ? new ExpressionParser(cursor).text() : cursor.identifier();
    if (label === undefined) throw cursor.unexpected(`"=" or "{" was expected after ${type}`);
    labels.push(label);
    cursor.skip(false);
  }
  cursor.expect('{', `after ${type}`);
  const body = bodyAt(cursor);
  cursor.expect('}', `at the end of the block ${type}`);
  return { type, labels, body, at };
}

function endOfLine(cursor: Cursor): void {
  cursor.skip(false);
  if (cursor.done || cursor.next === '\n' || cursor.next === '}') return;
  throw cursor.unexpected('the end of the line was expected');
}
