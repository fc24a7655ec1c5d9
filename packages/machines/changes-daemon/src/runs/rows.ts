import type { PlannedStep } from '../policy/policy.js';
import type { ScheduleMark } from '../schedule/schedule.js';
import { isRunStatus } from './run-status.js';
import type { RunStatus } from './run-status.js';

/** Kinds of requests. `drift` is a refresh that writes nothing. */
export const REQUEST_KINDS = ['up', 'preview', 'refresh', 'destroy', 'drift'] as const;

export type RequestKind = (typeof REQUEST_KINDS)[number];

/** Something that a person, a schedule or a commit asked for. */
export interface RequestRow {
  readonly id: string;
  readonly stack: string;
  readonly kind: RequestKind;
  /** Name of the person, or `schedule`, `source`, `drift`, `expiry`. */
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
  readonly why?: string;
  /** Commit that was asked for. Defaults to the newest one when the run begins. */
  readonly commit?: string;
  /** True if a person named the commit: a newer one does not end the run. */
  readonly pinned?: true;
  /** Name of the pull request that it is for, and the address of its page at the forge. */
  readonly pull?: string;
  readonly pullPage?: string;
  /** Name of a reference with the commit, if no branch of the stack has it. */
  readonly ref?: string;
  /** True if the preview reads the real objects first. */
  readonly refresh?: true;
  /** True if the agent's file itself approves the run (time to live). */
  readonly approved?: true;
  /** Id of the request or run that takes its place. */
  readonly supersededBy?: string;
  /** Run that it became. */
  readonly run?: string;
}

/** Approval of a run. It is valid for the plan, the state and the commit that it names. */
export interface ApprovalRow {
  readonly by: string;
  readonly at: string;
  readonly digest: string;
  readonly base: string;
  readonly commit?: string;
  /** `link` if it came by a signed link that was sent to the person, `comment` if by one on a pull request. */
  readonly via?: 'link' | 'comment';
}

/** A request while it is carried out, and its result. */
export interface RunRow {
  readonly id: string;
  readonly stack: string;
  readonly kind: RequestKind;
  readonly request: string;
  readonly by: string;
  readonly status: RunStatus;
  readonly began: string;
  readonly ended?: string;
  /** Reasons for the present status, one sentence each. */
  readonly why: readonly string[];
  readonly commit?: string;
  readonly pinned?: true;
  readonly pull?: string;
  readonly pullPage?: string;
  readonly ref?: string;
  readonly refresh?: true;
  readonly approved?: true;
  /** Digest of the plan. */
  readonly digest?: string;
  /** Digest of the state from which the plan was made. */
  readonly base?: string;
  readonly steps?: readonly PlannedStep[];
  readonly approvals: readonly ApprovalRow[];
  readonly needed: number;
  /** Fence of the lease under which its operation was begun. */
  readonly fence?: number;
  /** True if the agent that stops handed it over. */
  readonly handedOver?: true;
  /** True once a notice said that it waits for an operation of another process. */
  readonly locked?: true;
  /** RFC 3339 time since which the store of its stack does not answer. */
  readonly unreached?: string | undefined;
  /** RFC 3339 time of the last look at a run that is held. */
  readonly looked?: string;
}

/** Object that differs from what its stack has recorded. */
export interface DriftedResource {
  readonly urn: string;
  readonly type: string;
  /** `update`: it differs. `delete`: it is gone. */
  readonly kind: 'update' | 'delete';
  /** Properties that differ. */
  readonly keys: readonly string[];
  /** Messages of the provider about it, such as who changed it. They are its words, and nothing is added to them. */
  readonly says?: readonly string[];
  /** RFC 3339 time at which a drift run first found it. */
  readonly since: string;
}

/** Result of the last drift run of a stack. */
export interface DriftRow {
  readonly at: string;
  readonly run: string;
  readonly resources: readonly DriftedResource[];
}

/** Times and marks of a stack. */
export interface StackMarks {
  readonly drift?: ScheduleMark;
  readonly up?: ScheduleMark;
  /** Commit and tree that were last seen. */
  readonly commit?: string;
  readonly tree?: string;
  /** RFC 3339 time of the last look at the source. */
  readonly looked?: string;
  /** RFC 3339 time at which the stack was first deployed by the agent, for its time to live. */
  readonly deployed?: string;
  /** True once its time to live has passed and its destroy was asked for. */
  readonly expired?: true;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isRequestRow = (value: unknown): value is RequestRow =>
  isObject(value) &&
  typeof value['stack'] === 'string' &&
  REQUEST_KINDS.includes(value['kind'] as RequestKind);

export const isRunRow = (value: unknown): value is RunRow =>
  isObject(value) && isRunStatus(value['status']) && Array.isArray(value['approvals']);

export const isDriftRow = (value: unknown): value is DriftRow =>
  isObject(value) && Array.isArray(value['resources']);

export const isStackMarks = (value: unknown): value is StackMarks => isObject(value);
