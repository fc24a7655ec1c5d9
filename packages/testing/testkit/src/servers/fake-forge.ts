import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Pull request of a fake forge. */
interface FakePull {
  state: 'open' | 'merged' | 'closed';
  head: string;
  base: string;
  isFork: boolean;
  author: string;
  merge?: string;
  /** Address of its page. */
  page?: string;
  files: string[];
}

type Kind = 'github' | 'gitlab' | 'forgejo';

/** Comment, and who wrote it. */
interface FakeComment {
  readonly id: number;
  readonly by: string;
  text: string;
}

const REPOSITORY = 'acme/shop';
const BOT = 'cairn-bot';

/**
 * Forge that has one repository, `acme/shop`. It refuses wrong tokens, answers no call that it does not know, has pages
 * of two items, and can be out of calls. It posts webhooks as its kind signs them.
 */
export class FakeForge {
  readonly token = 'forge-token-planted';
  readonly secret = 'forge-secret-planted';
  readonly pulls = new Map<number, FakePull>();
  readonly members = new Set<string>(['ada']);
  readonly comments = new Map<number, FakeComment[]>();
  /** Statuses by commit and name, newest last. */
  readonly statuses: { commit: string; context: string; state: string; description: string }[] = [];
  /** Calls that it answered: `GET /repos/…`. */
  readonly calls: string[] = [];
  /** Number of calls that it will refuse because there were too many. */
  refusals = 0;
  readonly kind: Kind;
  readonly #server: Server;
  #lastId = 0;
  #waiting: (() => void)[] = [];

  private constructor(kind: Kind) {
    this.kind = kind;
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).finally(() => this.#waiting.splice(0).forEach((look) => look()));
    });
  }

  static async start(kind: Kind): Promise<FakeForge> {
    const forge = new FakeForge(kind);
    await new Promise<void>((resolve) => forge.#server.listen(0, '127.0.0.1', resolve));
    return forge;
  }

  /** Address of its API. */
  get api(): string {
    const { port } = this.#server.address() as AddressInfo;
    const path = { github: '', gitlab: '/api/v4', forgejo: '/api/v1' }[this.kind];
    return `http://127.0.0.1:${port}${path}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Resolves when a condition holds; it is looked at after each call. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Comments of the agent's user. */
  ownComments(number: number): readonly string[] {
    return (this.comments.get(number) ?? []).filter(({ by }) => by === BOT).map(({ text }) => text);
  }

  /** Returns the webhook about a pull request, signed. */
  pullHook(number: number): FakeHook {
    if (this.kind === 'gitlab')
      return this.hook('merge_request', { object_kind: 'merge_request', object_attributes: { iid: number } });
    return this.hook('pull_request', { action: 'synchronize', number, pull_request: { number } });
  }

  /** Adds a comment, and returns its webhook. */
  commentHook(number: number, by: string, text: string, at = new Date()): FakeHook {
    this.#comment(number, by, text);
    const created = at.toISOString();
    if (this.kind === 'gitlab')
      return this.hook('note', {
        ...{ object_kind: 'note', user: { username: by }, merge_request: { iid: number } },
        object_attributes: { note: text, created_at: created.replace('T', ' ').replace(/\.\d+Z$/, ' UTC') },
      });
    return this.hook('issue_comment', {
      ...{ action: 'created', issue: { number, pull_request: {} } },
      comment: { body: text, user: { login: by }, created_at: created },
    });
  }

  /** Returns a signed webhook. */
  hook(event: string, content: object): FakeHook {
    const body = JSON.stringify({ ...content, sent: randomUUID() });
    const digest = createHmac('sha256', this.secret).update(body).digest('hex');
    const headers: Readonly<Record<string, string>> = {
      github: { 'x-github-event': event, 'x-hub-signature-256': `sha256=${digest}` },
      gitlab: { 'x-gitlab-event': event, 'x-gitlab-token': this.secret },
      forgejo: { 'x-forgejo-event': event, 'x-forgejo-signature': digest },
    }[this.kind];
    return { headers: { ...headers, 'content-type': 'application/json' }, body };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const send = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    const { authorization, 'private-token': key } = request.headers;
    const given = this.kind === 'gitlab' ? key : authorization?.replace(/^(Bearer|token) /, '');
    if (given !== this.token) return send(401, { message: 'Bad credentials' });
    if (this.refusals > 0) {
      this.refusals -= 1;
      if (this.kind === 'github')
        return send(403, { message: 'rate limit' }, { 'x-ratelimit-remaining': '0', 'retry-after': '1' });
      return send(429, { message: 'rate limit' }, { 'retry-after': '1' });
    }
    const url = new URL(request.url ?? '', 'http://forge');
    const path = url.pathname.replace(/^\/api\/v\d/, '');
    const call = `${request.method ?? ''} ${path}`;
    this.calls.push(call);
    const text = Buffer.concat(chunks).toString('utf8');
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, string>);
    const base =
      this.kind === 'gitlab' ? `/projects/${encodeURIComponent(REPOSITORY)}` : `/repos/${REPOSITORY}`;
    const found = this.#route(call.replace(base, ''), url, body);
    if (found === undefined) return send(404, { message: 'Not Found' });
    send(request.method === 'POST' ? 201 : 200, found);
  }

  #route(call: string, url: URL, body: Readonly<Record<string, string>>): unknown {
    const page = (items: readonly unknown[]): readonly unknown[] => {
      const number = Number(url.searchParams.get('page') ?? '1');
      return items.slice((number - 1) * 2, number * 2);
    };
    const [, number = '0', rest = ''] = /^\w+ \/(?:pulls|issues|merge_requests)\/(\d+)(.*)$/.exec(call) ?? [];
    const pull = this.pulls.get(Number(number));
    if (call === 'GET /user') return this.kind === 'gitlab' ? { username: BOT } : { login: BOT };
    const [, commit] = /^POST \/statuses\/(\w+)$/.exec(call) ?? [];
    if (commit !== undefined) {
      const { context = body['name'] ?? '', state = '', description = '' } = body;
      this.statuses.push({ commit, context, state, description });
      return {};
    }
    const [, login = ''] = /^GET \/collaborators\/([\w-]+)\/permission$/.exec(call) ?? [];
    if (login !== '') return { permission: this.members.has(login) ? 'write' : 'read' };
    if (call === 'GET /members/all')
      return [...this.members].map((username) => ({ username, access_level: 40, state: 'active' }));
    const [, edited] =
      /^(?:PATCH \/issues\/comments|PUT \/merge_requests\/\d+\/notes)\/(\d+)$/.exec(call) ?? [];
    if (edited !== undefined) {
      const comment = [...this.comments.values()]
        .flat()
        .find(({ id, by }) => String(id) === edited && by === BOT);
      if (comment === undefined) return undefined;
      comment.text = body['body'] ?? '';
      return { id: comment.id };
    }
    if (pull === undefined) return undefined;
    if (call.startsWith('GET') && rest === '') return this.#pullOf(pull);
    if (rest === '/files') return page(pull.files.map((filename) => ({ filename })));
    if (rest === '/diffs') return page(pull.files.map((file) => ({ new_path: file, old_path: file })));
    if (rest !== '/comments' && rest !== '/notes') return undefined;
    if (call.startsWith('POST')) return { id: this.#comment(Number(number), BOT, body['body'] ?? '').id };
    return page(
      (this.comments.get(Number(number)) ?? []).map(({ id, by, text }) => ({
        ...{ id, body: text },
        ...(this.kind === 'gitlab' ? { author: { username: by } } : { user: { login: by } }),
      })),
    );
  }

  #pullOf({ state, head, base, isFork, author, merge, page }: FakePull): object {
    if (this.kind === 'gitlab')
      return {
        ...{ state: state === 'open' ? 'opened' : state, sha: head, target_branch: base },
        ...{ source_project_id: isFork ? 2 : 1, target_project_id: 1, author: { username: author } },
        ...{ merge_commit_sha: merge ?? null, merge_user: state === 'merged' ? { username: 'ada' } : null },
        web_url: page,
      };
    return {
      ...{ state: state === 'open' ? 'open' : 'closed', merged: state === 'merged' },
      ...{ user: { login: author }, base: { ref: base } },
      head: { sha: head, repo: { full_name: isFork ? 'mallory/shop' : REPOSITORY } },
      ...{ merge_commit_sha: merge ?? null, merged_by: state === 'merged' ? { login: 'ada' } : null },
      html_url: page,
    };
  }

  #comment(number: number, by: string, text: string): FakeComment {
    const comment = { id: (this.#lastId += 1), by, text };
    this.comments.set(number, [...(this.comments.get(number) ?? []), comment]);
    return comment;
  }
}

/** Webhook as it is posted. */
export interface FakeHook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
