import { pageOfPull } from './forge.js';
import type { ForgeApi, PullRequest } from './forge.js';
import type { ForgeClient } from './forge-client.js';
import { ownComment } from './own-comment.js';

/** Pull request of GitHub and Forgejo, as far as it is read. */
interface HubPull {
  readonly state: 'open' | 'closed';
  readonly merged?: boolean;
  readonly merged_by?: { readonly login: string } | null;
  readonly merge_commit_sha?: string | null;
  readonly user: { readonly login: string };
  readonly head: { readonly sha: string; readonly repo: { readonly full_name: string } | null };
  readonly base: { readonly ref: string };
  readonly html_url?: string;
}

/** Permissions that make a user a member. */
const WRITES: ReadonlySet<string> = new Set(['write', 'maintain', 'admin', 'owner']);

/** Calls of GitHub and Forgejo, which have the same paths. */
export function hubApi(kind: 'github' | 'forgejo', repository: string, client: ForgeClient): ForgeApi {
  const base = `/repos/${repository}`;
  const size = kind === 'github' ? 'per_page' : 'limit';
  return {
    pull: async (number) =>
      pullOf((await client.call({ path: `${base}/pulls/${number}` })) as HubPull, repository),
    files: async (number) => {
      const files = (await client.list(`${base}/pulls/${number}/files`, size)) as readonly {
        readonly filename: string;
        readonly previous_filename?: string;
      }[];
      return files.flatMap(({ filename, previous_filename: old }) => [
        filename,
        ...(old === undefined ? [] : [old]),
      ]);
    },
    isMember: async (login) => {
      const path = `${base}/collaborators/${encodeURIComponent(login)}/permission`;
      const found = (await client.call({ path, orNothing: true })) as
        { readonly permission?: string } | undefined;
      return WRITES.has(found?.permission ?? 'none');
    },
    comment: (number, id, text) =>
      ownComment(id, {
        me: async () => ((await client.call({ path: '/user' })) as { readonly login: string }).login,
        all: async () =>
          (
            (await client.list(`${base}/issues/${number}/comments`, size)) as readonly {
              readonly id: number;
              readonly body: string;
              readonly user: { readonly login: string };
            }[]
          ).map((comment) => ({ id: String(comment.id), by: comment.user.login, text: comment.body })),
        add: () =>
          client.call({ method: 'POST', path: `${base}/issues/${number}/comments`, body: { body: text } }),
        edit: (known) =>
          client.call({
            ...{ method: 'PATCH', path: `${base}/issues/comments/${known}` },
            ...{ body: { body: text }, orNothing: true },
          }),
      }),
    status: async (commit, { context, state, description }) => {
      await client.call({
        ...{ method: 'POST', path: `${base}/statuses/${commit}`, body: { context, state, description } },
      });
    },
    refOf: (number) => `refs/pull/${number}/head`,
  };
}

function pullOf(pull: HubPull, repository: string): PullRequest {
  const { state, merged = false, head, base, user } = pull;
  return {
    state: merged ? 'merged' : state,
    head: head.sha,
    base: base.ref,
    // The repository of a fork may be gone.
    isFork: head.repo?.full_name.toLowerCase() !== repository.toLowerCase(),
    author: user.login,
    merge: merged ? (pull.merge_commit_sha ?? undefined) : undefined,
    mergedBy: pull.merged_by?.login,
    ...pageOfPull(pull.html_url),
  };
}
