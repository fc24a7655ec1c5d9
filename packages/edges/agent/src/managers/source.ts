import type { Manager } from '@cairn/changes-daemon';
import { messageOf } from '@cairn/diagnostics';
import type { GitSource, AgentStack } from '../config/agent-config.js';
import type { ManagerContext } from './context.js';
import { requestByAgent } from './context.js';

/** Milliseconds during which the same failure is not reported again. */
const REPEAT_MS = 3_600_000;

/** Looks for commits that touch the folder of a stack, and requests what the stack says [AGT-7]. */
export class SourceManager implements Manager {
  readonly #context: ManagerContext;
  /** Stacks at which this agent has looked: the first look is due at its start. */
  readonly #seen = new Set<string>();

  constructor(context: ManagerContext) {
    this.#context = context;
  }

  ensure(): void {
    const { config, ledger, tasks, now, isStopping, ensureBefore } = this.#context;
    if (isStopping()) return;
    for (const stack of config.stacks) {
      const { source } = stack;
      if (source.t !== 'git') continue;
      const { looked } = ledger.stack(stack.name);
      const since = looked === undefined ? Infinity : now().getTime() - Date.parse(looked);
      const isDue = since < 0 || since >= source.everyMs || !this.#seen.has(stack.name);
      if (!isDue) {
        ensureBefore(source.everyMs - since);
        continue;
      }
      this.#seen.add(stack.name);
      tasks.start(`source ${stack.name}`, () => this.#look(stack, source));
    }
  }

  async #look(stack: AgentStack, source: GitSource): Promise<void> {
    const { ledger, work, now, ensureBefore } = this.#context;
    ensureBefore(source.everyMs);
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
