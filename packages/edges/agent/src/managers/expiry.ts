import type { Manager } from '@cairn/changes-daemon';
import type { ManagerContext } from './context.js';
import { requestByAgent } from './context.js';

/** Requests the destroy of stacks whose time to live has passed. */
export class ExpiryManager implements Manager {
  readonly #context: ManagerContext;

  constructor(context: ManagerContext) {
    this.#context = context;
  }

  ensure(): void {
    const { config, ledger, now, ensureBefore, isStopping } = this.#context;
    if (isStopping()) return;
    for (const { name, timeToLive } of config.stacks) {
      const row = ledger.stack(name);
      if (timeToLive === undefined || row.deployed === undefined || row.expired === true) continue;
      const left = Date.parse(row.deployed) + timeToLive.afterMs - now().getTime();
      if (left > 0) {
        ensureBefore(left);
        continue;
      }
      const request = {
        stack: name,
        kind: 'destroy',
        by: 'expiry',
        why: 'its time to live has passed',
      } as const;
      requestByAgent(this.#context, timeToLive.approved ? { ...request, approved: true } : request);
      ledger.setStack(name, { ...row, expired: true });
    }
  }
}
