import { PULL_PAGE } from '@cairn/http-api';

/** Pull request, or merge request, as the API shows it. */
export interface PullRequest {
  readonly state: 'open' | 'merged' | 'closed';
  /** Newest commit. */
  readonly head: string;
  /** Branch into which it is to be merged. */
  readonly base: string;
  /** True if its commits are in another repository. */
  readonly isFork: boolean;
  readonly author: string;
  /** Commit of the merge, and the login of the person who merged, once it is merged. */
  readonly merge: string | undefined;
  readonly mergedBy: string | undefined;
  /** Address of its page for people, if it is an https address. */
  readonly page?: string;
}

/** Returns the part of a pull request that names its page. An address that is not https is left out. */
export function pageOfPull(address: unknown): Pick<PullRequest, 'page'> {
  return typeof address === 'string' && PULL_PAGE.test(address) ? { page: address } : {};
}

/** Result of a stack on a commit. */
export interface CommitStatus {
  /** Name of the check: one for each stack. */
  readonly context: string;
  readonly state: 'pending' | 'success' | 'failure';
  /** At most 140 characters. */
  readonly description: string;
}

/** Calls of a forge. Each fails with `CAIRN-AGENT-FORGE`. */
export interface ForgeApi {
  pull(number: number): Promise<PullRequest>;
  /** Returns the paths that a pull request changes, with the old ones of files that it moves. */
  files(number: number): Promise<readonly string[]>;
  /** Tells if a user may write to the repository. */
  isMember(login: string): Promise<boolean>;
  /** Writes the agent's comment, or edits the one with this id. Returns its id. */
  comment(number: number, id: string | undefined, text: string): Promise<string>;
  status(commit: string, status: CommitStatus): Promise<void>;
  /** Name of a reference with the commits of a pull request. */
  refOf(number: number): string;
}
