import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { StackId } from '../stack-id.js';

/** Returns the error for a stack that the backend does not have. */
export function stackNotFound(id: StackId): CairnError {
  return cairnError(
    'CAIRN-STACK-NOT-FOUND',
    `no stack named '${id.stack}' found in project '${id.project}'`,
    {
      hint: `\`cairn stack ls\` lists the stacks; \`cairn stack init ${id.stack}\` creates this one.`,
    },
  );
}
