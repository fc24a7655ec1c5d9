import { hasRunEnded, isQueued, occupiesStack } from '@cairn/changes-daemon';
import type { DriftRow, DriftedResource, RequestRow, RunRow, ScheduleMark } from '@cairn/changes-daemon';
import type { DeploymentOperation, DeploymentStatus } from '@cairn/http-api';

/** JSON object whose secrets are sealed; see `sealSettings`. */
export type SealedSettings = Readonly<Record<string, unknown>>;

/** SealedSettings of the deployments of a stack. */
export interface SettingsRow {
  readonly settings: SealedSettings;
  /** RFC 3339. */
  readonly modified: string;
  /** Stack of the same project that this review stack copies, with its immutable id. Defaults to none. */
  readonly copies?: { readonly stackId: string; readonly stack: string };
}

/** Update that a run made, with the version that it became or started from. */
interface LinkedUpdate {
  readonly id: string;
  readonly version: number;
}

/** Something that was asked of agents: a request, and its run once it has begun. */
export interface AskedDeployment {
  readonly id: string;
  readonly number: number;
  readonly operation: DeploymentOperation;
  /** Program that asked, as it says. */
  readonly initiator: string;
  readonly request: RequestRow;
  readonly run?: RunRow;
  readonly settings: SealedSettings;
  /** Pool whose agents may run it. Defaults to every agent. */
  readonly pool?: string;
  /** Number of agents that have had the run. Only the last one writes about it. */
  readonly fence: number;
  /** Agent that has the run. */
  readonly agent?: string;
  /** Agent that has the run, or the last one that had it. */
  readonly ranBy?: string;
  /** Hash of the token of its processes. */
  readonly token?: string;
  readonly updates: readonly LinkedUpdate[];
  readonly drift?: DriftRow;
  /** Person who cancelled it. */
  readonly cancelledBy?: string;
  /** RFC 3339. */
  readonly modified: string;
}

/** Schedule of a stack. */
export interface ScheduleRow {
  readonly id: string;
  readonly kind: 'raw' | 'drift' | 'ttl';
  readonly operation: DeploymentOperation;
  /** Cron expression, by the clock of `zone`. One without has `once`, an RFC 3339 time. */
  readonly cron?: string;
  readonly once?: string;
  /** Zone of the clock. Defaults to UTC. */
  readonly zone?: string;
  /** Longest delay of a time, such as `10m`. Defaults to none. */
  readonly jitter?: string;
  readonly paused: boolean;
  /** SealedSettings of the deployments that it asks for. */
  readonly settings: SealedSettings;
  /** True if drift that it finds is repaired, or if the destroyed stack is removed as well. */
  readonly then: boolean;
  /** Login of the user who made it. */
  readonly by: string;
  readonly created: string;
  readonly modified: string;
  readonly lastExecuted?: string;
  readonly mark?: ScheduleMark;
}

/** Source of a stack, as agents have found it. */
export interface SourceRow {
  /** Address, branch and folder that this is about, as `watchedSource` names them. */
  readonly of: string;
  /** Commit and tree that were last seen. */
  readonly commit?: string;
  readonly tree?: string;
  /** RFC 3339 time of the last look. */
  readonly looked?: string;
  /** Number of agents that have looked. Only the last one reports. */
  readonly fence: number;
  /** Agent that looks now. */
  readonly agent?: string;
  /** Reason why the last look failed, and the RFC 3339 time of the notice about it. */
  readonly failed?: { readonly why: string; readonly at: string };
}

/** Preview of a refresh that ended: a look for drift. */
export interface DriftRecord {
  readonly id: string;
  readonly status: 'succeeded' | 'failed';
  /** RFC 3339. */
  readonly created: string;
  readonly modified: string;
  readonly resourceChanges: Readonly<Record<string, number>>;
  readonly deployment?: { readonly id: string; readonly number: number };
  /** Objects that differ. A look that failed keeps those of the one before. Defaults to none. */
  readonly resources?: readonly DriftedResource[];
}

/** Saved plan of a run, for the agent that applies it. */
export interface PlanRow {
  readonly text: string;
}

/** Lines of the log of a deployment. */
export interface LogRow {
  readonly lines: readonly LogLine[];
}

/** Line of a log. One with a header begins a part. */
export interface LogLine {
  readonly header?: string;
  readonly timestamp?: string;
  readonly line?: string;
}

/** Returns the run of a deployment as the rules of one stack name it: by its number. */
export function numberedRun({ run, number }: AskedDeployment): RunRow | undefined {
  return run && { ...run, id: String(number) };
}

/** True if a deployment has to be looked at again: it waits, or it runs. */
export function isOpen({ request, run }: AskedDeployment): boolean {
  return run === undefined ? isQueued(request) : !hasRunEnded(run.status);
}

/** True if an agent may take the run of a deployment, if nothing else on the stack is in its way. */
export function isClaimable({ run, agent }: AskedDeployment): boolean {
  if (run === undefined || agent !== undefined) return false;
  return run.status === 'held' || occupiesStack(run.status);
}

/** Returns the status as other clients know it. */
export function wireStatus({ request, run, cancelledBy }: AskedDeployment): DeploymentStatus {
  if (run === undefined) {
    if (isQueued(request)) return 'not-started';
    return cancelledBy === undefined ? 'skipped' : 'failed';
  }
  if (!hasRunEnded(run.status)) return 'running';
  if (run.status === 'succeeded') return 'succeeded';
  return run.status === 'superseded' ? 'skipped' : 'failed';
}
