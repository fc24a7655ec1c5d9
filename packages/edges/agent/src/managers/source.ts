import { messageOf } from '@cairn/diagnostics';
import type { AgentStack } from '../config/agent-config.js';
import type { ManagerContext } from './context.js';
import { requestByAgent } from './context.js';
import type { StackLook } from './stacks.js';

/** Milliseconds during which the same failure is not reported again. */
const REPEAT_MS = 3_600_000;

/** Looks for commits that touch the folder of a stack, or new archives, and requests what the stack says [AGT-7]. */
export class SourceLook implements StackLook {
  readonly #context: ManagerContext;
  /** Stacks at which this agent has looked: the first look is due at its start. */
  readonly #seen = new Set<string>();

  constructor(context: ManagerContext) {
    this.#context = context;
  }

  look(stack: AgentStack): number {
    const { ledger, tasks, now } = this.#context;
    const { source, name } = stack;
    if (source.t === 'directory') return Infinity;
    const { looked } = ledger.stack(name);
    const at = now().getTime();
    const last = looked === undefined || !this.#seen.has(name) ? -Infinity : Date.parse(looked);
    // A time in the future is from before the clock was set back.
    if (last <= at && at < last + source.everyMs) return last + source.everyMs;
    this.#seen.add(name);
    tasks.start(`source ${name}`, () => this.#read(stack));
    return at + source.everyMs;
  }

  async #read(stack: AgentStack): Promise<void> {
    const { ledger, work, now } = this.#context;
    try {
      const head = await work.head(stack);
      const row = ledger.stack(stack.name);
      if (head !== undefined && head.tree !== row.tree && stack.onCommit !== 'nothing') {
        const { commit } = head;
        requestByAgent(this.#context, { stack: stack.name, kind: stack.onCommit, by: 'source', commit });
      }
      ledger.setStack(stack.name, { ...ledger.stack(stack.name), ...head, looked: now().toISOString() });
    } catch (thrown) {
      const why = messageOf(thrown);
      this.#context.log(`cannot read the source: ${why}`, { stack: stack.name });
      ledger.setStack(stack.name, { ...ledger.stack(stack.name), looked: now().toISOString() });
      ledger.notices.add('source-failed', stack.name, { data: { why }, repeatAfterMs: REPEAT_MS });
    }
  }
}
