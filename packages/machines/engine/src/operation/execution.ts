import { OpenDoubts } from '../decide/unsettled.js';
import { Chains } from '../execute/chain.js';
import { FailureLanes } from '../execute/failure-lanes.js';
import { GATE } from '../execute/gates/gate-keeper.js';
import { handlers, previewHandlers } from '../execute/handlers/index.js';
import { OperationLimits } from '../execute/limits/operation-limits.js';
import { processLimits } from '../execute/limits/process-limits.js';
import { TaskLimits } from '../execute/limits/task-limits.js';
import { StepTasks } from '../execute/step-tasks.js';
import { TaskEdges } from '../execute/task-edges.js';
import { UndoPlanner } from '../execute/undo/planner.js';
import { UndoRunner } from '../execute/undo/runner.js';
import { DataHolders } from '../providers/data-holders.js';
import { InDoubtPhase } from '../recover/in-doubt-phase.js';
import { OperationRollback } from './operation-rollback.js';
import { PolicyPacks } from './phases/policies.js';
import { SnippetPhase } from './phases/snippets.js';
import type { Run, RunBase } from './run.js';
import { IN_DOUBT } from '../model/history.js';

/** Phases that keep state for a later part of the operation. */
export interface StatefulPhases {
  readonly inDoubt: InDoubtPhase;
  readonly policies: PolicyPacks;
  readonly snippets: SnippetPhase;
  readonly rollback: OperationRollback;
}

/** Makes the parts that run and undo chains of steps, with the phases that are tasks or need them. */
export function newExecution(base: RunBase): {
  readonly run: Run;
  readonly phases: StatefulPhases;
  readonly limits: TaskLimits;
} {
  const { request, ports, settings, report, control, ledger, change, recorder, gates, peers, context } = base;
  const { preview, policy } = request;
  const { machine } = change;
  const doubts = new OpenDoubts();
  const holders = new DataHolders((entry) =>
    peers.providerOf(entry).catch(() => peers.providersBefore().forResource(entry)),
  );
  const planner = new UndoPlanner(recorder, policy.rollback, request.approvals, (entry) =>
    holders.holds(entry),
  );
  const limits = new TaskLimits(
    preview ? undefined : limitsOf(base),
    (urn) => recorder.live.live(urn)?.entry ?? planner.expected(urn),
  );
  const isolation = preview || !settings.isolates ? 'none' : (policy.isolate ?? 'none');
  const { rollsBack } = settings;
  const edges = new TaskEdges(machine.change);
  const lanes = new FailureLanes(isolation, (urn) => recorder.live.live(urn)?.entry, change, rollsBack);
  const { clock } = ports;
  const shared = { ...base, doubts, holders, planner, preview, clock, rollsBack, edges, lanes };
  const undoer = new UndoRunner({
    ...shared,
    contextBefore: { ...context, providerOf: (entry) => peers.providersBefore().forResource(entry) },
    onProvider: (entry) => peers.providers.registered(entry),
  });
  const tasks = new StepTasks({
    ...shared,
    undoer,
    taskLimits: limits,
    handlers: preview ? previewHandlers : handlers,
    claim: preview ? undefined : ports.claim,
  });
  const chains = new Chains({
    ...shared,
    tasks,
    gates: gates.keeper,
    continueOnError: settings.continues,
  });
  const run: Run = { ...base, chains, edges, lanes, undoer };
  const inDoubt = new InDoubtPhase({ request, context, report, change, recorder, doubts, limits });
  machine.handle({
    kinds: { ...tasks.kinds(), [GATE]: gates.keeper.kind(), [IN_DOUBT]: inDoubt.kind },
    blocked: limits.blocked(),
    onEvent: (event) => {
      const fell = lanes.heard(event);
      // The end of an earlier change's task that is rolled back in this run says nothing about a later registration.
      const known = fell !== undefined && ledger.progress(fell) !== undefined;
      if (known && lanes.isolates) ledger.note({ t: 'failed', urn: fell });
    },
  });
  control.onStop(() => change.hold('the operation is ending'));
  control.onKill(() => {
    if (change.abandoned) return;
    chains.doubtRunning('the operation was killed while it ran');
    chains.inDoubt.push(...undoer.inDoubt('the operation was killed while it was rolled back'));
    change.abandon();
  });
  const snippets = new SnippetPhase(request, recorder);
  const rollback = new OperationRollback({ ...run, inDoubt, snippets });
  return { run, limits, phases: { inDoubt, policies: new PolicyPacks(), snippets, rollback } };
}

function limitsOf({ request, ports, peers, change }: RunBase): OperationLimits {
  return new OperationLimits({
    counter: ports.limits ?? processLimits,
    settings: request.concurrency.limits ?? new Map(),
    providerOf: peers.providerOf,
    unblock: (name) => change.machine.unblock(name),
  });
}
