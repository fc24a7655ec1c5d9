import type { Chains } from '../execute/chain.js';
import type { FailureLanes } from '../execute/failure-lanes.js';
import type { OperationGates } from '../execute/gates/operation-gates.js';
import type { StepHandlerContext } from '../execute/handlers/handler.js';
import type { OperationChange } from '../execute/operation-change.js';
import type { TaskEdges } from '../execute/task-edges.js';
import type { UndoRunner } from '../execute/undo/runner.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Report } from '../model/report.js';
import type { SettledAnswers } from '../inspect/settled-answers.js';
import type { OperationRequest } from '../model/request.js';
import type { EnginePorts } from '../ports.js';
import type { Recorder } from '../record/recorder.js';
import type { RunPlan } from '../saved-plan/run-plan.js';
import type { Concurrency } from './concurrency.js';
import type { OperationControl } from './operation-control.js';
import type { Peers } from './peers.js';
import type { RunSettings } from './settings.js';

/** Parts that everything in one operation shares. Made once; none of them is replaced. */
export interface RunBase {
  readonly request: OperationRequest;
  readonly ports: EnginePorts;
  readonly settings: RunSettings;
  readonly report: Report;
  readonly control: OperationControl;
  /** Events of the run so far. */
  readonly ledger: Ledger;
  readonly change: OperationChange;
  readonly recorder: Recorder;
  /** Saved plans: the one that the operation must follow, and the one that it makes. */
  readonly plan: RunPlan;
  readonly concurrency: Concurrency;
  readonly gates: OperationGates;
  readonly peers: Peers;
  /** Answers from the state in place of providers. Undefined if every provider is asked. */
  readonly settled: SettledAnswers | undefined;
  /** Context in which steps run. */
  readonly context: StepHandlerContext;
}

/** One running operation, in the form that its phases use. */
export interface Run extends RunBase {
  readonly chains: Chains;
  /** Tasks that precede others. */
  readonly edges: TaskEdges;
  /** Failure domains, and which of them have failed. */
  readonly lanes: FailureLanes;
  readonly undoer: UndoRunner;
}
