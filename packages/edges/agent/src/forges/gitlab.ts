import { pageOfPull } from './forge.js';
import type { CommitStatus, ForgeApi, PullRequest } from './forge.js';
import type { ForgeClient } from './forge-client.js';
import { ownComment } from './own-comment.js';

/** Merge request of GitLab, as far as it is read. */
interface MergeRequest {
  readonly state: 'opened' | 'closed' | 'locked' | 'merged';
  readonly sha: string;
  readonly target_branch: string;
  readonly source_project_id: number | null;
  readonly target_project_id: number;
  readonly author: { readonly username: string };
  readonly merge_commit_sha?: string | null;
  readonly squash_commit_sha?: string | null;
  readonly merge_user?: { readonly username: string } | null;
  readonly web_url?: string;
}

/** Access level of developers, who may write. */
const DEVELOPER = 30;
const STATES = { pending: 'pending', success: 'success', failure: 'failed' } as const satisfies Record<
  CommitStatus['state'],
  string
>;

/** Calls of GitLab. */
export function gitlabApi(repository: string, client: ForgeClient): ForgeApi {
  const base = `/projects/${encodeURIComponent(repository)}`;
  const requestOf = (number: number): string => `${base}/merge_requests/${number}`;
  return {
    pull: async (number) => pullOf((await client.call({ path: requestOf(number) })) as MergeRequest),
    files: async (number) => {
      const files = (await client.list(`${requestOf(number)}/diffs`, 'per_page')) as readonly {
        readonly new_path: string;
        readonly old_path: string;
      }[];
      return files.flatMap(({ new_path: path, old_path: old }) => [path, ...(old === path ? [] : [old])]);
    },
    isMember: async (login) => {
      const path = `${base}/members/all?per_page=100&query=${encodeURIComponent(login)}`;
      const found = (await client.call({ path })) as readonly {
        readonly username: string;
        readonly access_level: number;
        readonly state?: string;
      }[];
      return found.some(
        ({ username, access_level: level, state = 'active' }) =>
          username === login && level >= DEVELOPER && state === 'active',
      );
    },
    comment: (number, id, text) =>
      ownComment(id, {
        me: async () => ((await client.call({ path: '/user' })) as { readonly username: string }).username,
        all: async () =>
          (
            (await client.list(`${requestOf(number)}/notes`, 'per_page')) as readonly {
              readonly id: number;
              readonly body: string;
              readonly author: { readonly username: string };
            }[]
          ).map((note) => ({ id: String(note.id), by: note.author.username, text: note.body })),
        add: () => client.call({ method: 'POST', path: `${requestOf(number)}/notes`, body: { body: text } }),
        edit: (known) =>
          client.call({
            ...{ method: 'PUT', path: `${requestOf(number)}/notes/${known}` },
            ...{ body: { body: text }, orNothing: true },
          }),
      }),
    status: async (commit, { context, state, description }) => {
      await client.call({
        ...{ method: 'POST', path: `${base}/statuses/${commit}` },
        body: { name: context, state: STATES[state], description },
      });
    },
    refOf: (number) => `refs/merge-requests/${number}/head`,
  };
}

function pullOf(request: MergeRequest): PullRequest {
  const { state, sha, target_branch: base, author } = request;
  return {
    state: state === 'merged' ? 'merged' : state === 'closed' ? 'closed' : 'open',
    head: sha,
    base,
    isFork: request.source_project_id !== request.target_project_id,
    author: author.username,
    merge: state === 'merged' ? (request.merge_commit_sha ?? request.squash_commit_sha ?? sha) : undefined,
    mergedBy: request.merge_user?.username,
    ...pageOfPull(request.web_url),
  };
}
