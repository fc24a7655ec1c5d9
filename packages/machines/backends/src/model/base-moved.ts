import { CairnError } from '@cairn/diagnostics';
import type { StackId } from '../stack-id.js';

/**
 * Refusal to begin an operation, because another process has changed the state since the lease has read it. Nothing was
 * changed: another lease may begin it on the newer state.
 */
export class BaseMovedError extends CairnError {
  constructor({ stack }: StackId, cause: string) {
    super([
      {
        severity: 'error',
        code: 'CAIRN-STORE-CONFLICT',
        summary: `the state of stack "${stack}" has changed since this operation began`,
        causes: [cause],
        hint: 'Nothing was changed. Run the command again.',
      },
    ]);
  }
}
