import type { CallbackConnections } from '@cairn/wire/callbacks-client';
import type { ContractWatch } from '../contract/watch.js';
import type { OperationPhases } from '../decide/operation-phases.js';
import type { ScopeFacts } from '../decide/facts.js';
import type { OpenDoubts } from '../decide/unsettled.js';
import type { ChainRunner } from '../execute/chain-runner.js';
import type { OperationGates } from '../execute/gates/operation-gates.js';
import type { HookRunner } from '../execute/hooks/hook-runner.js';
import type { OperationLimits } from '../execute/limits/operation-limits.js';
import type { OperationChange } from '../execute/operation-change.js';
import type { UndoPlanner } from '../execute/undo/planner.js';
import type { OwnedViews } from '../execute/views/owned-views.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Report } from '../model/report.js';
import type { OperationRequest } from '../model/request.js';
import type { RegistrationIntake } from '../monitor/intake.js';
import type { Ports } from '../ports.js';
import type { DataHolders } from '../providers/data-holders.js';
import type { Recorder } from '../record/recorder.js';
import type { InDoubtPhase } from '../recover/in-doubt-phase.js';
import type { RunPlan } from '../saved-plan/run-plan.js';
import type { DerivedPolicy } from './derived-policy.js';
import type { Limiter } from './limiter.js';
import type { CompletedState } from './missing-providers.js';
import type { OperationPeers } from './operation-peers.js';
import type { OpenQuestions } from './open-questions.js';
import type { SnippetPhase } from './phases/snippets.js';
import type { OperationControl } from './operation-control.js';

/** What a run is made of, apart from what is made of all this. */
export interface RunParts {
  readonly request: OperationRequest;
  readonly ports: Ports;
  /** What is done in which phase. */
  readonly phases: OperationPhases;
  readonly scope: ScopeFacts;
  readonly policy: DerivedPolicy;
  /** The state it starts from, with what very old files lack. */
  readonly completed: CompletedState;
  readonly report: Report;
  readonly control: OperationControl;
  readonly peers: OperationPeers;
  /** What has happened so far. */
  readonly ledger: Ledger;
  readonly change: OperationChange;
  readonly recorder: Recorder;
  readonly chains: ChainRunner;
  readonly contract: ContractWatch;
  readonly plan: RunPlan;
  readonly callbacks: CallbackConnections;
  readonly hooks: HookRunner;
  readonly views: OwnedViews;
  readonly gates: OperationGates;
  /** Undefined: as many calls of providers as one likes. */
  readonly limits: OperationLimits | undefined;
  /** Bounds how many questions are open at a time. */
  readonly limiter: Limiter;
  readonly questions: OpenQuestions;
  readonly intake: RegistrationIntake;
  /** What is not known of steps of earlier operations. */
  readonly doubts: OpenDoubts;
  readonly inDoubt: InDoubtPhase;
  readonly snippets: SnippetPhase;
  readonly planner: UndoPlanner;
  /** Which objects hold data. */
  readonly holders: DataHolders;
}
