import type { ChainRunner } from '../execute/chain-runner.js';
import type { OperationGates } from '../execute/gates/operation-gates.js';
import type { HandlerContext } from '../execute/handlers/handler.js';
import type { OperationChange } from '../execute/operation-change.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Report } from '../model/report.js';
import type { OperationRequest } from '../model/request.js';
import type { Ports } from '../ports.js';
import type { Recorder } from '../record/recorder.js';
import type { RunPlan } from '../saved-plan/run-plan.js';
import type { Admission } from './admission.js';
import type { OperationControl } from './operation-control.js';
import type { Peers } from './peers.js';
import type { OperationSettings } from './settings.js';

/** What everything of one operation shares. Made once; nothing in it is exchanged. */
export interface RunBase {
  readonly request: OperationRequest;
  readonly ports: Ports;
  readonly settings: OperationSettings;
  readonly report: Report;
  readonly control: OperationControl;
  /** What has happened so far. */
  readonly ledger: Ledger;
  readonly change: OperationChange;
  readonly recorder: Recorder;
  /** Saved plans: the one that it is held to, and the one that it makes. */
  readonly plan: RunPlan;
  readonly admission: Admission;
  readonly gates: OperationGates;
  readonly peers: Peers;
  /** What steps are carried out with. */
  readonly context: HandlerContext;
}

/** One operation on its way, as its phases see it. */
export interface Run extends RunBase {
  readonly chains: ChainRunner;
}
