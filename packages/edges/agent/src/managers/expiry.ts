import type { AgentStack } from '../config/agent-config.js';
import type { ManagerContext } from './context.js';
import { requestByAgent } from './context.js';
import type { StackLook } from './stacks.js';

/** Requests the destroy of stacks whose time to live has passed. */
export class ExpiryLook implements StackLook {
  readonly #context: ManagerContext;

  constructor(context: ManagerContext) {
    this.#context = context;
  }

  look({ name, timeToLive }: AgentStack): number {
    const { ledger, now } = this.#context;
    const row = ledger.stack(name);
    if (timeToLive === undefined || row.deployed === undefined || row.expired === true) return Infinity;
    const end = Date.parse(row.deployed) + timeToLive.afterMs;
    if (end > now().getTime()) return end;
    const request = {
      stack: name,
      kind: 'destroy',
      by: 'expiry',
      why: 'its time to live has passed',
    } as const;
    requestByAgent(this.#context, timeToLive.approved ? { ...request, approved: true } : request);
    ledger.setStack(name, { ...row, expired: true });
    return Infinity;
  }
}
