import type { PullRequest } from './forge.js';

/** Comment on a pull request that was not judged yet. */
interface PullComment {
  readonly by: string;
  readonly text: string;
}

/** Record of a pull request. */
export interface PullRow {
  readonly forge: string;
  readonly number: number;
  /** Number of deliveries about it, and how many of them the last look has covered. */
  readonly due: number;
  readonly looked: number;
  readonly comments: readonly PullComment[];
  /** Content at the last look. */
  readonly pull?: PullRequest;
  /** Names of the stacks that it touches. */
  readonly stacks: readonly string[];
  /** Commit that a member allowed to run, although it is from a fork. */
  readonly allowed?: string;
  /** Commit for which previews were requested. */
  readonly planned?: string;
  /** True once updates were requested for its merge. */
  readonly isMerged?: true;
  /** True once the end of its review stacks was requested. */
  readonly isRemoved?: true;
  /** Id of the agent's comment. */
  readonly comment?: string;
  /** Digest of the last report. */
  readonly reported?: string;
  /** Failures one after the other, and the RFC 3339 time of the next attempt. */
  readonly failures?: number;
  readonly retryAt?: string;
  /** RFC 3339 time of the last delivery. */
  readonly at: string;
}

/** Returns the name of a pull request: `hub/12`. */
export const pullName = (forge: string, number: number): string => `${forge}/${number}`;

/** Tells if a look is due. */
export const isLookDue = ({ due, looked }: PullRow): boolean => due > looked;

/** Tells if nothing of a pull request may run: it comes from a fork, and no member has allowed its commit. */
export function isClosedFork({ pull, allowed }: PullRow): boolean {
  return pull !== undefined && pull.isFork && pull.state === 'open' && allowed !== pull.head;
}

export function isPullRow(value: unknown): value is PullRow {
  if (typeof value !== 'object' || value === null) return false;
  const { forge, number, due, stacks } = value as Partial<PullRow>;
  return (
    typeof forge === 'string' &&
    typeof number === 'number' &&
    typeof due === 'number' &&
    Array.isArray(stacks)
  );
}
