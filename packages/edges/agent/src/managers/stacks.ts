import { DueTimes } from '@cairn/changes-daemon';
import type { Manager } from '@cairn/changes-daemon';
import type { AgentStack } from '../config/agent-config.js';
import type { ManagerContext } from './context.js';

/** One thing that the agent does for a stack from time to time. */
export interface StackLook {
  /**
   * Begins what is due. Returns the time of the next look in milliseconds since 1970, `Infinity` for none. Until then,
   * nothing becomes due unless the marks of the stack change or the clock is set back.
   */
  look(stack: AgentStack): number;
}

/** Looks at the stacks of the file that are due or whose marks have changed. The others cost a pass nothing. */
export class StackManager implements Manager {
  readonly #context: ManagerContext;
  readonly #looks: readonly StackLook[];
  readonly #stacks: ReadonlyMap<string, AgentStack>;
  readonly #times = new DueTimes();

  constructor(context: ManagerContext, looks: readonly StackLook[]) {
    this.#context = context;
    this.#looks = looks;
    this.#stacks = new Map(context.config.stacks.map((stack) => [stack.name, stack]));
    for (const name of this.#stacks.keys()) this.#times.plan(name, -Infinity);
  }

  ensure(): void {
    const { ledger, now, isStopping, ensureBefore } = this.#context;
    if (isStopping()) return;
    for (const name of ledger.takeChangedStacks())
      if (this.#stacks.has(name)) this.#times.plan(name, -Infinity);
    for (const name of this.#times.due(now().getTime())) {
      const stack = this.#stacks.get(name) as AgentStack;
      this.#times.plan(name, Math.min(...this.#looks.map((each) => each.look(stack))));
    }
    const { next } = this.#times;
    if (next < Infinity) ensureBefore(Math.max(0, next - now().getTime()));
  }
}
