import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { Position } from './syntax/ast.js';

/** Makes the error about a snippet, with the position of the fault if known. */
export function pclError(message: string, at: Position | undefined): CairnError {
  const where = at === undefined ? '' : ` (line ${at.line}, column ${at.column})`;
  return cairnError('CAIRN-SNIPPET', `${message}${where}`);
}
