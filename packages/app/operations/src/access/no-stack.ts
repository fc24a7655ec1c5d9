import type { StackId } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';

/** Returns the error for a stack that its backend does not know. */
export function noStack(id: StackId, url: string): Error {
  return cairnError(
    'CAIRN-STACK-NOT-FOUND',
    `no stack named '${id.stack}' found in project '${id.project}' in ${url}`,
    {
      hint: `Create it with \`cairn stack init ${id.stack}\`, or list the existing stacks with \`cairn stack ls\`.`,
    },
  );
}
