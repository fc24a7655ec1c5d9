import { systemClock } from '@cairn/changes';
import type { ChangeMachine } from '@cairn/changes';
import type { Diagnostic } from '@cairn/diagnostics';
import type { OperationRequest } from '../../model/request.js';
import type { WaitingTask } from '../../model/result.js';
import type { EngineClock } from '../../ports.js';
import { GATE, GateKeeper } from './gate-keeper.js';
import { RestWatch } from './rest-watch.js';

/** What the gates need of the operation they are in. */
interface OperationGatesParts {
  readonly request: Pick<OperationRequest, 'preview' | 'approvals' | 'change' | 'continues'>;
  readonly clock: EngineClock;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly machine: ChangeMachine;
  readonly open: {
    /** Whether registrations wait for an answer about a step in doubt. */
    readonly parked: boolean;
    /** Questions about registrations that are open. */
    readonly asking: number;
  };
  /** Nothing goes on any more but waiting: the operation is to end. */
  readonly onRest: () => void;
}

/** The gates of one operation, and when it ends because of them. */
export class OperationGates {
  readonly keeper: GateKeeper;
  readonly watch: RestWatch;
  readonly #machine: ChangeMachine;
  #left: readonly WaitingTask[] = [];
  /** Everything that could be done was done, and the rest waits. */
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

  /** What the operation has been left waiting for; empty until it rests. */
  get left(): readonly WaitingTask[] {
    return this.#left.filter(({ task }) => this.#machine.change.tasks.get(task)?.status === 'wait');
  }

  /** The operation is over: what nobody waits for any more is closed. */
  close(): void {
    this.watch.close();
    this.keeper.dismiss(new Set(this.#left.map(({ task }) => task)));
  }
}

/** Who needs no approval any more: it was given in the lineage that goes on, or before the operation began. */
function approvedBefore({
  approvals = new Set(),
  continues,
}: Pick<OperationRequest, 'approvals' | 'continues'>): ReadonlySet<string> {
  const given = (continues?.past ?? []).filter(({ kind, status }) => kind === GATE && status === 'done');
  return new Set([...approvals, ...given.map(({ urn }) => urn)]);
}
