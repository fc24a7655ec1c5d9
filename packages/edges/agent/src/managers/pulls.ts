import type { Manager, Register, RunRow } from '@cairn/changes-daemon';
import { messageOf } from '@cairn/diagnostics';
import type { ForgeApi, PullRequest } from '../forges/forge.js';
import type { ConnectedForge } from '../forges/forge-api.js';
import { commandsOf } from '../forges/pull-commands.js';
import type { ApproveCommand } from '../forges/pull-commands.js';
import { reportOf } from '../forges/pull-report.js';
import type { PullReport } from '../forges/pull-report.js';
import { isClosedFork, isLookDue, isPullRow, pullName } from '../forges/pull-rows.js';
import type { PullRow } from '../forges/pull-rows.js';
import { touchedStacks } from '../forges/touched-stacks.js';
import type { PullStack } from '../forges/touched-stacks.js';
import type { RunLedger } from '../runs/ledger.js';
import type { AgentMessage } from '../runs/messages.js';
import type { ManagerContext } from './context.js';
import { requestByAgent } from './context.js';

/** Key of the register for pull requests, and for deliveries that were read. */
const PULLS = 'pulls/';
const SEEN = 'forge-seen/';
/** Milliseconds for which deliveries are remembered. Older comments are not obeyed. */
const SEEN_MS = 2 * 3_600_000;
/** Milliseconds for which a pull request is remembered after its last delivery, once it has ended. */
const KEPT_MS = 30 * 24 * 3_600_000;
/** Milliseconds until the next attempt after a failure; doubled each time, up to an hour. */
const RETRY_MS = 15_000;
const MOST_RETRY_MS = 3_600_000;
/** Milliseconds during which the same failure is not reported again. */
const REPEAT_MS = 3_600_000;

type ForgeMessage = AgentMessage & { readonly t: 'forge' };

/** Approval of a run in a comment on a pull request. */
export interface CommentedApproval extends Omit<ApproveCommand, 't'> {
  readonly forge: string;
  readonly login: string;
  /** Name of the pull request. */
  readonly pull: string;
}

/** Parts of an agent that pull requests need. */
export interface PullContext extends Pick<
  ManagerContext,
  'tasks' | 'now' | 'newId' | 'log' | 'ensureBefore' | 'isStopping'
> {
  readonly ledger: Pick<RunLedger, 'runs' | 'queuedRequests' | 'addRequest' | 'notices' | 'version'>;
  /** Stacks that pull requests may touch. */
  readonly stacks: () => readonly PullStack[];
  /** Called when a branch of a forge has new commits. */
  readonly onPush: (forge: string, branch: string) => void;
  /** Called when a member of a forge approves a run in a comment. If it rejects, it is called again later. */
  readonly onApprove: (approval: CommentedApproval) => Promise<void>;
  /** Returns a sentence that says how to approve a run. */
  readonly approveWith: (run: RunRow) => string;
  /** Returns the name of the review stack of a pull request. */
  readonly reviewName: (stack: string, number: number) => string;
  /** Returns the address of the page of a run. Defaults to none. */
  readonly pageOf?: ((run: RunRow) => string) | undefined;
}

/** Looks after pull requests: previews, comments, statuses, merges and review stacks [AGT-11]. */
export class PullManager implements Manager {
  readonly #context: PullContext;
  readonly #register: Register;
  readonly #forges: ReadonlyMap<string, ConnectedForge>;
  readonly #rows: Map<string, PullRow>;
  readonly #seen: Map<string, string>;
  /** Report of each pull request, with what it was made from. */
  readonly #reports = new Map<string, { row: PullRow; version: number; report: PullReport | undefined }>();

  constructor(context: PullContext, register: Register, forges: ReadonlyMap<string, ConnectedForge>) {
    this.#context = context;
    this.#register = register;
    this.#forges = forges;
    this.#rows = new Map(register.entries(PULLS, isPullRow));
    this.#seen = new Map(register.entries(SEEN, (value): value is string => typeof value === 'string'));
  }

  /** Notes a delivery. One that was read before is ignored. */
  note({ forge, id, event }: ForgeMessage): void {
    const { now, log } = this.#context;
    if (this.#seen.has(id)) return log(`forge ${forge} repeats a delivery: it is ignored`, { delivery: id });
    const at = now().toISOString();
    this.#register.tx((t) => t.set(SEEN + id, at));
    this.#seen.set(id, at);
    if (event.t === 'push') return this.#context.onPush(forge, event.branch);
    const known = this.#rows.get(pullName(forge, event.number));
    const row = known ?? { forge, number: event.number, due: 0, looked: 0, comments: [], stacks: [], at };
    const { retryAt: _retryAt, ...rest } = row;
    const comments = event.t === 'comment' ? [{ by: event.by, text: event.text }] : [];
    this.#put({ ...rest, due: row.due + 1, comments: [...row.comments, ...comments], at });
  }

  ensure(): void {
    const { tasks, isStopping, ensureBefore, now } = this.#context;
    if (isStopping()) return;
    this.#forgetOld();
    for (const [name, row] of this.#rows) {
      const forge = this.#forges.get(row.forge);
      if (forge === undefined) continue;
      const wait = row.retryAt === undefined ? 0 : Date.parse(row.retryAt) - now().getTime();
      if (wait > 0) {
        ensureBefore(wait);
        continue;
      }
      if (isLookDue(row))
        tasks.start(`pull ${name}`, () => this.#tried(name, () => this.#look(row, forge.api)));
      else {
        const report = this.#reportOf(row);
        if (report !== undefined && report.digest !== row.reported)
          tasks.start(`pull ${name}`, () => this.#tried(name, () => this.#report(row, report, forge.api)));
      }
    }
  }

  /** Returns the report about a pull request. It is made again only after a change of the request or of any run. */
  #reportOf(row: PullRow): PullReport | undefined {
    const { ledger, approveWith, pageOf, reviewName } = this.#context;
    const { version } = ledger;
    const name = pullName(row.forge, row.number);
    const known = this.#reports.get(name);
    if (known?.row === row && known.version === version) return known.report;
    const report = reportOf(row, {
      runs: ledger.runs.values(),
      requests: ledger.queuedRequests,
      hasReview: (stack) => this.#hasReview(stack),
      ...{ approveWith, pageOf, reviewName },
    });
    this.#reports.set(name, { row, version, report });
    return report;
  }

  /** Looks at a pull request, obeys its comments, and requests what it needs. */
  async #look({ forge, number, due, comments }: PullRow, api: ForgeApi): Promise<void> {
    const name = pullName(forge, number);
    const pull = await api.pull(number);
    const files = await api.files(number);
    const stacks = touchedStacks(this.#context.stacks(), forge, pull.base, files).map((stack) => stack.name);
    let allowed: string | undefined;
    for (const { by, text } of comments)
      if (await this.#obey(forge, name, api, by, text)) allowed = pull.head;
    const row = this.#rows.get(name);
    if (row === undefined) return;
    const { failures: _failures, ...rest } = row;
    this.#put({
      ...{ ...rest, pull, stacks, looked: due, comments: row.comments.slice(comments.length) },
      ...(allowed !== undefined && { allowed }),
    });
    this.#request(name, pull, api);
  }

  /** Carries out the commands of a comment, if a member wrote it. Returns true if it allows the commit to run. */
  async #obey(forge: string, pull: string, api: ForgeApi, by: string, text: string): Promise<boolean> {
    const commands = commandsOf(text);
    if (commands.length === 0) return false;
    const { log, onApprove } = this.#context;
    if (!(await api.isMember(by))) {
      log(`a comment of ${by} is not obeyed: only members may do that`, { forge });
      return false;
    }
    for (const command of commands)
      if (command.t === 'approve') await onApprove({ ...command, forge, pull, login: by });
    return commands.some(({ t }) => t === 'preview');
  }

  #hasReview(name: string): boolean {
    return this.#context.stacks().find((stack) => stack.name === name)?.pulls?.review === true;
  }

  #request(name: string, pull: PullRequest, api: ForgeApi): void {
    const row = this.#rows.get(name);
    if (row === undefined || row.stacks.length === 0) return;
    const { forge, number, stacks, planned, isMerged, isRemoved } = row;
    const names = { pull: name, ...(pull.page !== undefined && { pullPage: pull.page }) };
    const reviews = stacks
      .filter((stack) => this.#hasReview(stack))
      .map((stack) => this.#context.reviewName(stack, number));
    if (pull.state === 'open') {
      if (planned === pull.head || isClosedFork(row)) return;
      const common = { by: `${forge}:${pull.author}`, commit: pull.head, ...names, ref: api.refOf(number) };
      for (const stack of stacks)
        requestByAgent(this.#context, { ...common, stack, kind: 'preview', pinned: true });
      for (const stack of reviews)
        requestByAgent(this.#context, { ...common, stack, kind: 'up', pinned: true });
      this.#put({ ...row, planned: pull.head });
      return;
    }
    if (pull.merge !== undefined && isMerged !== true) {
      const by = `${forge}:${pull.mergedBy ?? pull.author}`;
      for (const stack of stacks)
        requestByAgent(this.#context, { stack, kind: 'up', by, commit: pull.merge, ...names });
    }
    // A pull request from a fork that no member allowed has no review stacks.
    if (isRemoved !== true && planned !== undefined) {
      const end = { kind: 'destroy', by: `${forge}:${pull.author}`, approved: true } as const;
      const at = { commit: planned, pinned: true, ...names, ref: api.refOf(number) } as const;
      for (const stack of reviews) requestByAgent(this.#context, { ...end, ...at, stack });
    }
    this.#put({ ...row, ...(pull.merge !== undefined && { isMerged: true as const }), isRemoved: true });
  }

  async #report(row: PullRow, { text, commit, statuses, digest }: PullReport, api: ForgeApi): Promise<void> {
    const name = pullName(row.forge, row.number);
    const comment = await api.comment(row.number, row.comment, text);
    const known = this.#rows.get(name);
    if (known !== undefined) this.#put({ ...known, comment });
    for (const status of statuses) await api.status(commit, status);
    const now = this.#rows.get(name);
    if (now === undefined) return;
    const { failures: _failures, retryAt: _retryAt, ...rest } = now;
    this.#put({ ...rest, reported: digest });
  }

  /** Runs work on a pull request. After a failure it is tried again later. */
  async #tried(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      const row = this.#rows.get(name);
      if (row === undefined) return;
      const { now, log, ledger } = this.#context;
      const failures = (row.failures ?? 0) + 1;
      const pause = Math.min(RETRY_MS * 2 ** (failures - 1), MOST_RETRY_MS);
      const told = this.#forges.get(row.forge)?.waitMs() ?? 0;
      const waitMs = told > 0 ? told : pause;
      this.#put({ ...row, failures, retryAt: new Date(now().getTime() + waitMs).toISOString() });
      const why = messageOf(thrown);
      log(`pull request ${name}: ${why}`);
      ledger.notices.add('forge-failed', row.forge, { data: { pull: name, why }, repeatAfterMs: REPEAT_MS });
    }
  }

  /** Forgets deliveries that are too old to be obeyed, and pull requests that ended long ago. */
  #forgetOld(): void {
    const now = this.#context.now().getTime();
    const seen = [...this.#seen].filter(([, at]) => now - Date.parse(at) > SEEN_MS).map(([id]) => id);
    const ended = [...this.#rows].filter(
      ([, { at, pull, due, looked }]) =>
        due === looked && pull?.state !== 'open' && now - Date.parse(at) > KEPT_MS,
    );
    if (seen.length + ended.length === 0) return;
    this.#register.tx((t) => {
      for (const id of seen) t.set(SEEN + id, null);
      for (const [name] of ended) t.set(PULLS + name, null);
    });
    for (const id of seen) this.#seen.delete(id);
    for (const [name] of ended) {
      this.#rows.delete(name);
      this.#reports.delete(name);
    }
  }

  #put(row: PullRow): void {
    const name = pullName(row.forge, row.number);
    this.#register.tx((t) => t.set(PULLS + name, row));
    this.#rows.set(name, row);
  }
}
