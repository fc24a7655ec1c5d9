import { isDeepStrictEqual } from 'node:util';
import { hasRunEnded, isRequestRow, isRunRow, runOfRequest } from '@cairn/changes-daemon';
import type { Manager, Register, RequestRow, RunRow } from '@cairn/changes-daemon';
import { messageOf } from '@cairn/diagnostics';
import type { DeploymentAnswer } from '@cairn/http-api';
import type { CommentedApproval, PullContext } from '../managers/pulls.js';
import { RefusedByService } from './service-api.js';
import type { ServiceApi } from './service-api.js';

/** Key of the register for what was asked of the service. */
const ASKED = 'asked/';
/** Rows that are kept after their end. */
const KEPT = 1_000;
/** Milliseconds between two looks at a run of the service, and until a call that failed is made again. */
const LOOK_MS = 2_000;
const RETRY_MS = 5_000;

/** Operation that a pull request asks of the service, and what became of it. */
interface AskedRow {
  readonly request: RequestRow;
  /** Number of its deployment, once the service has it. */
  readonly number?: number;
  /** Address of its page, if the service knows its own. */
  readonly page?: string;
  /** Run of the deployment, as it was last seen. */
  readonly run?: RunRow;
  /** True if nothing more happens to it. */
  readonly isOver?: true;
}

/** Answer of the service to a request. */
interface CreatedDeployment {
  readonly version: number;
  /** Empty if the service does not know its own address. */
  readonly consoleUrl?: string;
}

/** Parts that the rows need. */
interface LedgerParts extends Pick<PullContext, 'tasks' | 'log' | 'now' | 'ensureBefore' | 'isStopping'> {
  readonly register: Register;
  readonly api: Pick<ServiceApi, 'call'>;
  readonly organization: string;
  /** Tells if the settings of a stack have a policy. */
  readonly hasPolicy: (stack: string) => boolean;
  /** Tells if a stack has review stacks. */
  readonly reviewed: (stack: string) => boolean;
}

/** Returns the name of the review stack of a pull request, as the service makes it. */
export const servedReviewName = (stack: string, number: number): string => `${stack}-pr-${number}`;

/**
 * Requests of pull requests at a service, with the runs that they became. A request is durable before it is sent. One
 * that was sent and not noted is sent again: the newer one takes its place, or finds nothing to change.
 */
export class ServedPullLedger implements Manager {
  readonly runs = new Map<string, RunRow>();
  /** Number that every change of a row changes. */
  version = 0;
  readonly #parts: LedgerParts;
  readonly #rows: Map<string, AskedRow>;
  /** Time of the next call about a row, in milliseconds since 1970. */
  readonly #due = new Map<string, number>();

  constructor(parts: LedgerParts) {
    this.#parts = parts;
    this.#rows = new Map(parts.register.entries(ASKED, isAskedRow));
    for (const row of this.#rows.values()) this.#keepRun(row);
  }

  get notices(): Register['notices'] {
    return this.#parts.register.notices;
  }

  /** Requests that have no run yet, in their order. */
  get queuedRequests(): Iterable<RequestRow> {
    return [...this.#rows.values()].flatMap(({ run, isOver, request }) =>
      run === undefined && isOver !== true ? [request] : [],
    );
  }

  /** Adds a request. Returns false if one for the same commit is open. */
  addRequest(request: RequestRow): boolean {
    const isSame = ({ request: other, isOver }: AskedRow): boolean =>
      isOver !== true &&
      other.stack === request.stack &&
      other.kind === request.kind &&
      other.commit === request.commit &&
      other.pull === request.pull;
    if ([...this.#rows.values()].some(isSame)) return false;
    this.#put({ request });
    return true;
  }

  /** Returns the address of the page of a run, if the service knows its own. */
  pageOf({ id, stack }: RunRow): string | undefined {
    const isOf = ({ number, request }: AskedRow): boolean => String(number) === id && request.stack === stack;
    return [...this.#rows.values()].find(isOf)?.page;
  }

  /**
   * Approves a run of the service for a member of a forge [AGT-26]. It names what the run had when it was last seen.
   * Rejects if the service did not answer.
   */
  async approve({ forge, login, pull, run: id, stack }: CommentedApproval): Promise<void> {
    const { api, log } = this.#parts;
    const refused = (why: string): void => log(`run ${id} is not approved by ${login}: ${why}`, { forge });
    const isOf = ({ request, run }: AskedRow): boolean =>
      run?.id === id && request.pull === pull && (stack === undefined || stack === run.stack);
    const rows = [...this.#rows.values()].filter(isOf);
    const waiting = rows.filter(({ run }) => run?.status === 'waiting');
    const row = waiting[0] ?? rows[0];
    if (row?.run === undefined) return refused(`the pull request has no such run`);
    const stacks = waiting.map(({ request }) => request.stack);
    if (stacks.length > 1) return refused(`name one of its stacks: ${stacks.join(', ')}`);
    const { digest = '', base = '', commit } = row.run;
    const names = this.#names(row.run.stack);
    try {
      const numbered = { ...names, version: id };
      const deployment = (await api.call('getDeploymentVersion', numbered)) as DeploymentAnswer;
      const body = { digest, base, commit, cairn: { comment: `${forge}:${login}` } };
      await api.call('approveDeployment', { ...names, deployment: deployment.id }, { body });
      log(`run ${id} is approved by ${login}`, { forge, stack: row.run.stack });
    } catch (thrown) {
      if (!(thrown instanceof RefusedByService)) throw thrown;
      refused(thrown.message);
    }
  }

  ensure(): void {
    const { tasks, now, ensureBefore, isStopping } = this.#parts;
    if (isStopping()) return;
    for (const [id, row] of this.#rows) {
      if (row.isOver === true) continue;
      const wait = (this.#due.get(id) ?? 0) - now().getTime();
      if (wait > 0) ensureBefore(wait);
      else tasks.start(`request ${id}`, () => this.#tried(row));
    }
  }

  /** Makes the call that is due about a row. A refusal ends it as a run that failed. */
  async #tried(row: AskedRow): Promise<void> {
    const { now, log } = this.#parts;
    const { id, stack } = row.request;
    const next = (ms: number): void => void this.#due.set(id, now().getTime() + ms);
    try {
      const found = await (row.number === undefined ? this.#ask(row) : this.#look(row, row.number));
      // Most looks find nothing new, and each put writes the register.
      if (!isDeepStrictEqual(found, row)) this.#put(found);
      next(LOOK_MS);
    } catch (thrown) {
      log(`cannot ask the service for an operation: ${messageOf(thrown)}`, { stack });
      if (!(thrown instanceof RefusedByService)) return next(RETRY_MS);
      const run = row.run ?? runOfRequest(row.request, { id: '-', needed: 0, now: now() });
      // The end of a review stack removes it, and what the service knows about it.
      const isGone =
        thrown.status === 404 && this.#reviewOf(row.request) !== undefined && row.request.kind === 'destroy';
      const end = isGone
        ? { status: 'succeeded' as const, why: [] }
        : { status: 'failed' as const, why: [thrown.message] };
      this.#put({ ...row, isOver: true, run: { ...run, ...end } });
    }
  }

  async #ask(row: AskedRow): Promise<AskedRow> {
    const { kind, stack, commit, pull, pullPage, by } = row.request;
    const { api, hasPolicy } = this.#parts;
    const copied = this.#reviewOf(row.request);
    const own = {
      ...{ commit, pull, pullPage },
      ...(/^[^:]+:[^\s:]{1,100}$/.test(by) && { author: by }),
      ...(copied !== undefined && { review: true }),
      // The service takes who asks for the person who approves, if there is no policy. A pull request approves nothing.
      ...(kind === 'up' && !hasPolicy(copied ?? stack) && { policy: { rules: [] } }),
    };
    const body = { operation: kind === 'up' ? 'update' : kind, inheritSettings: true, cairn: own };
    const answer = (await api.call('createDeployment', this.#names(copied ?? stack), {
      body,
    })) as CreatedDeployment;
    const { version, consoleUrl } = answer;
    return { ...row, number: version, ...(consoleUrl && { page: consoleUrl }) };
  }

  async #look(row: AskedRow, number: number): Promise<AskedRow> {
    const { stack, pull } = row.request;
    const names = { ...this.#names(stack), version: String(number) };
    const { status, cairn } = (await this.#parts.api.call('getDeploymentVersion', names)) as DeploymentAnswer;
    const found = isRunRow(cairn.run) ? cairn.run : undefined;
    const run = found && { ...found, id: String(number), stack, ...(pull !== undefined && { pull }) };
    const isOver = run === undefined ? status === 'skipped' || status === 'failed' : hasRunEnded(run.status);
    return { ...row, ...(run !== undefined && { run }), ...(isOver && { isOver: true as const }) };
  }

  /** Returns the stack that the stack of a request is a review stack of, if it is one. */
  #reviewOf({ stack, pull = '' }: RequestRow): string | undefined {
    const end = servedReviewName('', Number(pull.slice(pull.indexOf('/') + 1)));
    const copied = stack.endsWith(end) ? stack.slice(0, -end.length) : '';
    return this.#parts.reviewed(copied) ? copied : undefined;
  }

  #names(reference: string): Readonly<Record<string, string>> {
    const [project = '', stack = ''] = reference.split('/');
    return { org: this.#parts.organization, project, stack };
  }

  #put(row: AskedRow): void {
    this.version += 1;
    this.#rows.set(row.request.id, row);
    this.#keepRun(row);
    const over = [...this.#rows.values()].filter(({ isOver }) => isOver === true);
    const old = over.slice(0, Math.max(0, over.length - KEPT)).map(({ request }) => request.id);
    this.#parts.register.tx((t) => {
      t.set(ASKED + row.request.id, row);
      for (const id of old) t.set(ASKED + id, null);
    });
    for (const id of old) {
      this.#rows.delete(id);
      this.runs.delete(id);
      this.#due.delete(id);
    }
  }

  #keepRun({ run, request }: AskedRow): void {
    if (run !== undefined) this.runs.set(request.id, run);
  }
}

function isAskedRow(value: unknown): value is AskedRow {
  return typeof value === 'object' && value !== null && isRequestRow((value as Partial<AskedRow>).request);
}
