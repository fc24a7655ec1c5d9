import type { OperationRequest } from '../model/request.js';
import type { RunningOperation } from '../model/result.js';
import type { Ports } from '../ports.js';
import { asContinued } from '../recover/finish-rollback.js';
import { Operation } from './operation.js';

/**
 * Starts one operation on one stack and returns at once. Everything it finds out goes to `ports.emit`, everything it
 * does goes to `ports.store` before and after it is done; the result says how it ended.
 */
export function startOperation(wanted: OperationRequest, ports: Ports): RunningOperation {
  const request = asContinued(wanted);
  const core = new Operation(request, ports);
  return {
    done: core.run(),
    get entries() {
      return core.entries;
    },
    approve: (task, by) => core.approve(task, by),
    abort: (how) => core.abort(how),
    cancel: () => core.cancel(),
    cancelRunning: () => core.cancelRunning(),
    kill: () => core.kill(),
  };
}
