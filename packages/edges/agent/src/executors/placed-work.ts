import type { RunRow } from '@cairn/changes-daemon';
import type { AgentStack } from '../config/agent-config.js';
import type {
  DriftResult,
  OperationState,
  PlanResult,
  SourceHead,
  StackWork,
  WorkResult,
} from '../stack-work.js';

/** Work on stacks at the place that each one names: a cluster, or this machine with its containers. */
export class PlacedWork implements StackWork {
  readonly #here: StackWork;
  readonly #cluster: StackWork;
  readonly #onRemoved: () => void;

  /** `onRemoved` is called when a stack was removed. Defaults to nothing. */
  constructor(here: StackWork, cluster: StackWork, onRemoved: () => void = () => undefined) {
    this.#here = here;
    this.#cluster = cluster;
    this.#onRemoved = onRemoved;
  }

  head(stack: AgentStack): Promise<SourceHead | undefined> {
    return this.#at(stack).head(stack);
  }

  plan(stack: AgentStack, run: RunRow, answers?: boolean): Promise<PlanResult> {
    return this.#at(stack).plan(stack, run, answers);
  }

  apply(stack: AgentStack, run: RunRow): Promise<WorkResult> {
    return this.#at(stack).apply(stack, run);
  }

  look(stack: AgentStack, run: RunRow): Promise<OperationState> {
    return this.#at(stack).look(stack, run);
  }

  recover(stack: AgentStack, run: RunRow, how: 'resume' | 'rollback'): Promise<WorkResult> {
    return this.#at(stack).recover(stack, run, how);
  }

  drift(stack: AgentStack, run: RunRow): Promise<DriftResult> {
    return this.#at(stack).drift(stack, run);
  }

  async remove(stack: AgentStack, run: RunRow): Promise<WorkResult> {
    const removed = await this.#at(stack).remove(stack, run);
    if (removed.t === 'done') this.#onRemoved();
    return removed;
  }

  forget(run: string): Promise<void> {
    return this.#here.forget(run);
  }

  #at({ cluster }: AgentStack): StackWork {
    return cluster === undefined ? this.#here : this.#cluster;
  }
}
