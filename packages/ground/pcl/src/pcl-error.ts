import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { Position } from './syntax/ast.js';

/** What is wrong with a snippet, and where. */
export function pclError(message: string, at: Position | undefined): CairnError {
  const where = at === undefined ? '' : ` (line ${at.line}, column ${at.column})`;
  return cairnError('CAIRN-SNIPPET', `${message}${where}`);
}
