import type { StackId } from '@cairn/backends';
import type {
  AskedDeployment,
  DriftRecord,
  LogRow,
  PlanRow,
  ScheduleRow,
  SettingsRow,
  SourceRow,
} from '../domain/deployments/deployment.js';

/** Rows of a stack about its deployments, by kind. Ids of one kind sort in the order of their creation. */
export interface DeploymentRows {
  readonly settings: SettingsRow;
  readonly schedules: ScheduleRow;
  readonly sources: SourceRow;
  readonly deployments: AskedDeployment;
  readonly drifts: DriftRecord;
  readonly logs: LogRow;
  readonly plans: PlanRow;
}

/** Kind of a row about deployments. */
export type DeploymentKind = keyof DeploymentRows;

/** Row with its id. */
export interface IdentifiedRow<K extends DeploymentKind> {
  readonly id: string;
  readonly row: DeploymentRows[K];
}

/** Ids that are at least `from` and below `below`. */
export interface IdRange {
  readonly from: string;
  readonly below: string;
}

/** Agent of an organization. */
export interface AgentRow {
  readonly name: string;
  readonly pool?: string;
  /** True if it shall begin nothing more. */
  readonly drain?: true;
  /** RFC 3339 time of its end, or after which it was silent. The next call removes it. */
  readonly gone?: string;
}

/** Agent with the time since its last call, in milliseconds by the clock of the store. */
export interface SeenAgent {
  readonly agent: AgentRow;
  readonly agoMs: number;
}

/** Something that people shall learn, counted by type and key. Times are RFC 3339. */
export interface NoticeRow {
  readonly type: string;
  readonly key: string;
  readonly occurrences: number;
  readonly 'first-occurred': string;
  readonly 'last-repeated': string;
  readonly 'last-data': Readonly<Record<string, string>>;
  /** Person who has seen it, and when. A repeated notice has none. */
  readonly acknowledged?: { readonly by: string; readonly at: string };
}

/** Notice as its reporter has it. */
type ReportedNotice = Omit<NoticeRow, 'occurrences' | 'first-occurred' | 'acknowledged'>;

/** Deployments of stacks, which are named by their immutable ids. Leases and times end by the clock of the store. */
export interface DeploymentStore {
  /** Returns the rows of a kind whose ids are at least `from` and below `below`, by their ids. */
  deploymentRows<K extends DeploymentKind>(
    stackId: string,
    kind: K,
    range?: IdRange,
  ): Promise<readonly IdentifiedRow<K>[]>;
  /** Returns a page of rows, the last ids first, and the number of all. Pages begin at 1. */
  deploymentPage<K extends DeploymentKind>(
    stackId: string,
    kind: K,
    page: { readonly size: number; readonly page: number },
  ): Promise<{ readonly rows: readonly IdentifiedRow<K>[]; readonly total: number }>;
  /** Returns the deployments that are open, by their ids. */
  openDeployments(stackId: string): Promise<readonly AskedDeployment[]>;
  putDeploymentRow<K extends DeploymentKind>(
    stackId: string,
    kind: K,
    id: string,
    row: DeploymentRows[K],
    isOpen?: boolean,
  ): Promise<void>;
  /** Removes the rows of a kind whose ids are at least `from` and below `below`. */
  removeDeploymentRows(stackId: string, kind: DeploymentKind, range: IdRange): Promise<void>;
  /** Keeps a run for an agent for some time, in milliseconds. */
  keepRunLease(stackId: string, deployment: string, ms: number): Promise<void>;
  endRunLease(deployment: string): Promise<void>;
  /** Returns those of some runs that are kept for an agent. */
  livingRunLeases(deployments: readonly string[]): Promise<ReadonlySet<string>>;
  /** Says when a stack has to be looked at again, in milliseconds from now, or that it has not. */
  wakeStack(stack: StackId, stackId: string, ms: number | undefined): Promise<void>;
  /** Returns stacks that have to be looked at, those that wait the longest first. */
  dueStacks(most: number): Promise<readonly StackId[]>;
  /** Notes a call of an agent, and returns what the store has about it. */
  seeAgent(organization: string, agent: AgentRow): Promise<AgentRow>;
  putAgent(organization: string, agent: AgentRow): Promise<void>;
  listAgents(organization: string): Promise<readonly SeenAgent[]>;
  /** Adds or repeats a notice. Does nothing if it was repeated after `before` (RFC 3339). Defaults to no limit. */
  addNotice(organization: string, notice: ReportedNotice, before?: string): Promise<void>;
  /** Notes who has seen a notice. Does nothing if there is none of its type and key. */
  acknowledgeNotice(
    organization: string,
    notice: Pick<NoticeRow, 'type' | 'key'>,
    acknowledged: NonNullable<NoticeRow['acknowledged']>,
  ): Promise<void>;
  /** Returns the notices that were repeated after a time, the oldest first. */
  listNotices(organization: string, after: string): Promise<readonly NoticeRow[]>;
}

/** Range of everything. Ids are ASCII. */
export const EVERY_ID: IdRange = { from: '', below: '~' };

/** Returns a notice with what has been reported before. */
export function repeatedNotice(before: NoticeRow | undefined, notice: ReportedNotice): NoticeRow {
  return {
    ...notice,
    occurrences: (before?.occurrences ?? 0) + 1,
    'first-occurred': before?.['first-occurred'] ?? notice['last-repeated'],
  };
}
