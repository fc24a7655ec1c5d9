import { systemClock } from '@cairn/changes';
import type { ChangeMachine } from '@cairn/changes';
import type { Diagnostic } from '@cairn/diagnostics';
import type { OperationRequest } from '../../model/request.js';
import type { WaitingTask } from '../../model/result.js';
import type { EngineClock } from '../../ports.js';
import { GATE, GateKeeper } from './gate-keeper.js';
import { RestWatch } from './rest-watch.js';

/** Dependencies of {@link OperationGates}. */
interface OperationGatesParts {
  readonly request: Pick<OperationRequest, 'preview' | 'approvals' | 'change' | 'continues'>;
  readonly clock: EngineClock;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly machine: ChangeMachine;
  readonly open: {
    /** True if registrations wait for an answer about a step in doubt. */
    readonly parked: boolean;
    /** Number of open questions about registrations. */
    readonly asking: number;
  };
  /** Called when only waiting remains: the operation should end. */
  readonly onRest: () => void;
}

/** Gates of one operation, and the decision to end it because of them. */
export class OperationGates {
  readonly keeper: GateKeeper;
  readonly watch: RestWatch;
  readonly #machine: ChangeMachine;
  #left: readonly WaitingTask[] = [];
  /** True if everything possible was done, and the rest waits. */
  rested = false;

  constructor({ request, machine, clock, report, open, onRest }: OperationGatesParts) {
    this.#machine = machine;
    this.keeper = new GateKeeper({
      machine,
      preview: request.preview,
      approved: approvedBefore(request),
      change: request.change,
      report,
      onWaiting: () => this.watch.noteActivity(),
    });
    this.watch = new RestWatch({
      after: (ms, run) => clock.after?.(ms, run) ?? systemClock.after(ms, run),
      waits: () => this.keeper.waiting.length > 0 || open.parked,
      busy: () => open.asking > 0 || this.#machine.idle !== true,
      onRest: () => {
        this.#left = this.keeper.waiting;
        this.rested = true;
        onRest();
      },
    });
  }

  /** Gates that the operation is still waiting for after it came to rest. Empty until then. */
  get left(): readonly WaitingTask[] {
    return this.#left.filter(({ task }) => this.#machine.change.tasks.get(task)?.status === 'wait');
  }

  /** Ends the gates with the operation. Closes those that no step waits for. */
  close(): void {
    this.watch.close();
    this.keeper.dismiss(new Set(this.#left.map(({ task }) => task)));
  }
}

/** Returns the URNs with an approval from the continued lineage, or from before the operation. */
function approvedBefore({
  approvals = new Set(),
  continues,
}: Pick<OperationRequest, 'approvals' | 'continues'>): ReadonlySet<string> {
  const given = (continues?.past ?? []).filter(({ kind, status }) => kind === GATE && status === 'done');
  return new Set([...approvals, ...given.map(({ urn }) => urn)]);
}
