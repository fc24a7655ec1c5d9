import { organizationOf } from '@cairn/backends';
import type { StackId, StateText } from '@cairn/backends';
import type {
  ConsoleChangeRow,
  ConsoleStackAnswer,
  ConsoleStackRow,
  ConsoleStacksAnswer,
  UpdateInfo,
} from '@cairn/http-api';
import { pendingName } from '@cairn/state';
import { Refusal } from '../../domain/refusal.js';
import type { ServedChange } from '../../domain/served-change.js';
import { shownDeployment } from '../../domain/console/state-entries.js';
import type { ShownDeployment } from '../../domain/console/state-entries.js';
import { blindedValue } from '../../domain/console/blinded-values.js';
import { lostFields } from '../../domain/lost-state.js';
import { driftedBy, isLook } from '../../domain/drift-looks.js';
import { updateInfoOf } from '../../domain/update-info.js';
import type { UpdateRecord } from '../../domain/update-record.js';
import type { ListedOverview, TaggedStack } from '../../store/service-store.js';
import type { ApiCaller } from '../caller.js';
import type { ChangeCalls } from '../changes.js';
import type { ServicePorts } from '../service-ports.js';
import { unknownStack } from '../stack-records.js';
import type { LostStates } from '../lost-states.js';
import type { Stacks } from '../stacks.js';
import type { Updates } from '../updates.js';
import { knownDoubts } from './doubts.js';
import { SharedReads } from './shared-reads.js';
import { shownRecord } from './shown-records.js';

/** Rows of one page of stacks. */
const PAGE = 50;
/** Changes that the overview of a stack has, and the most that a list of them can have. */
const NEWEST_CHANGES = 8;
const MOST_CHANGES = 1000;
/** Previews among which a list finds the newest look for drift. */
const MOST_LOOKED = 5;
const NO_OPEN_TASKS = { inDoubt: 0, approvals: 0 } as const;

/** Filter of a list: words that a row has in its name or tags, and the row after which the page begins. */
interface ListRequest {
  readonly words: readonly string[];
  readonly after: string;
  readonly caller: ApiCaller;
}

/** Stack of a page with its tags. */
interface ListedTags {
  readonly stack: StackId;
  readonly tags: ConsoleStackRow['tags'];
}

/** Facts of a row, and the holder of the stack if it is another tool. */
interface ListedRow extends ListedOverview {
  readonly holder?: string;
}

interface ViewCalls {
  readonly stacks: Stacks;
  readonly updates: Updates;
  readonly changes: ChangeCalls;
  readonly lost: LostStates;
}

/** Reads stacks for the console. */
export class StackViews {
  readonly #ports: ServicePorts;
  readonly #calls: ViewCalls;
  /** All pages of a stack ask for the same when something happens to it. */
  readonly #reads = new SharedReads();

  constructor(ports: ServicePorts, calls: ViewCalls) {
    this.#ports = ports;
    this.#calls = calls;
  }

  /** Lists stacks by name, in pages. What a store answers for many at once is asked once for a page. */
  async list({ words, after, caller }: ListRequest): Promise<ConsoleStacksAnswer> {
    const organizations = await caller.organizations();
    const found = await Promise.all(organizations.map((organization) => this.#found(organization)));
    const stacks = found
      .flat()
      .map((each) => ({ ...each, name: stackPath(each.stack) }))
      .filter(({ name }) => name > after)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const page: ListedTags[] = [];
    for (const { stack, tags: known, name } of stacks) {
      if (page.length === PAGE) {
        const last = stackPath((page.at(-1) as ListedTags).stack);
        return { stacks: await this.#rows(page), next: Buffer.from(last).toString('base64url') };
      }
      // The name alone may decide, and then the tags are not read.
      if (known !== undefined && !hasWords(words, name, known)) continue;
      if (!(await caller.canRead(stack, known))) continue;
      const tags = known ?? (await this.#ports.store.tags(stack).catch(() => ({})));
      if (hasWords(words, name, tags)) page.push({ stack, tags });
    }
    return { stacks: await this.#rows(page), next: null };
  }

  /** Finds the stacks of an organization, with their tags where the store answers for many at once. */
  async #found(organization: string): Promise<readonly TaggedStack[]> {
    const { store } = this.#ports;
    if (store.findStacks !== undefined)
      return store.findStacks({ organization, project: undefined, tag: undefined });
    return (await store.listStacks({ organization })).map((stack) => ({ stack, tags: undefined }));
  }

  /** Returns the overview of one stack, with a number of its newest changes. */
  async stack(
    stack: StackId,
    caller: ApiCaller,
    wanted: number = NEWEST_CHANGES,
  ): Promise<ConsoleStackAnswer> {
    const newest = Math.min(wanted, MOST_CHANGES);
    const facts = await this.#reads.read(`stack ${newest} ${stackPath(stack)}`, () =>
      this.#facts(stack, newest),
    );
    return { ...facts, role: (await caller.roleOn(stack)) ?? 'reader' };
  }

  /** Returns what the overview of a stack has for everyone. */
  async #facts(stack: StackId, newest: number): Promise<Omit<ConsoleStackAnswer, 'role'>> {
    const { store } = this.#ports;
    const { running, changes } = await this.#calls.changes.list(stack, { newest });
    const operation = await this.#calls.changes.running(stack);
    const state = await this.deployment(stack);
    const [latest] = await this.#calls.stacks.history(stack, { size: 1 });
    const rows = changes.map((change) => changeRow(change, running)).reverse();
    return {
      ...namesOf(stack),
      tags: await store.tags(stack),
      version: latest?.version ?? 0,
      resources: state.resources.length,
      outputs: outputsOf(state),
      config: configOf(latest),
      ...(operation && { running: operation }),
      changes: rows,
      doubts: operation === undefined ? await this.#doubts(stack, state, changes) : [],
      ...(state.integrity !== undefined && { integrity: state.integrity }),
      ...lostFields((await store.stackRecord(stack))?.lost),
      continues: this.#ports.continueChange !== undefined,
    };
  }

  /** Returns a change with its records. */
  change(stack: StackId, number: number) {
    return this.#reads.read(`change ${number} ${stackPath(stack)}`, () => this.#change(stack, number));
  }

  async #change(stack: StackId, number: number) {
    const { running, changes } = await this.#calls.changes.list(stack, { number });
    const [change] = changes;
    if (change === undefined) throw new Refusal(404, `Change ${number} not found.`);
    const { records } = await this.#calls.changes.records(stack, number, 0);
    return { change: changeRow(change, running), records: records.map(shownRecord) };
  }

  /** Returns the newest state, or that after an update of the history. */
  deployment(stack: StackId, version?: number): Promise<ShownDeployment> {
    const { stacks } = this.#calls;
    const read = (): Promise<StateText> =>
      version === undefined ? stacks.exportState(stack) : stacks.exportVersion(stack, version);
    return this.#reads.read(`state ${version ?? ''} ${stackPath(stack)}`, async () =>
      shownDeployment((await read()).deployment),
    );
  }

  /** Refuses a stack that does not exist. */
  async refuseUnknown(stack: StackId): Promise<void> {
    if (!(await this.#ports.store.stackExists(stack))) throw unknownStack(stack);
  }

  version(stack: StackId): Promise<number> {
    return this.#calls.updates.version(stack);
  }

  async #rows(page: readonly ListedTags[]): Promise<readonly ConsoleStackRow[]> {
    if (page.length === 0) return [];
    const { listedStacks } = this.#ports.store;
    const stacks = page.map(({ stack }) => stack);
    const listed = await (listedStacks?.(stacks) ?? Promise.all(stacks.map((stack) => this.#listed(stack))));
    return page.map(({ stack, tags }, index) => rowOf(stack, tags, listed[index] as ListedRow));
  }

  /** Returns what a list shows of one stack. A state that cannot be read hides no other stack. */
  async #listed(stack: StackId): Promise<ListedRow> {
    const { store } = this.#ports;
    const { changes, lost: losses } = this.#calls;
    const [summary, history, operation, holder, { record, lost }] = await Promise.all([
      store.summary(stack).catch(() => undefined),
      store.history(stack, { size: 1 }).catch(() => []),
      changes.running(stack),
      store.otherHolder(stack).catch(() => undefined),
      losses.listed(stack),
    ]);
    const running = operation !== undefined;
    const [last] = history;
    return {
      ...{ running, resources: summary?.resources, lastUpdate: summary?.lastUpdate, last },
      pending: summary?.pending ?? 0,
      lost,
      ...(running ? NO_OPEN_TASKS : await changes.openTasks(stack).catch(() => NO_OPEN_TASKS)),
      looked: record && (await this.#newestLook(record.id, last?.number ?? 0)),
      waiting: record === undefined ? 0 : (await store.tickets(record.id)).length,
      ...(!running && holder !== undefined && { holder: holder.by }),
    };
  }

  /** Returns the newest look for drift among the newest previews of a version. */
  async #newestLook(stackId: string, version: number): Promise<UpdateRecord | undefined> {
    const page = { version, size: MOST_LOOKED, page: 1, oldestFirst: false };
    const { previews } = await this.#ports.store.findPreviews(stackId, page);
    return previews.find(isLook);
  }

  async #doubts(stack: StackId, { pending }: ShownDeployment, changes: readonly ServedChange[]) {
    const doubts = pending.map(({ type, resource }) => {
      const { urn } = resource;
      const id = typeof resource['id'] === 'string' && resource['id'] !== '' ? resource['id'] : undefined;
      const name = pendingName({ type: type as 'creating', resource: { urn, id } });
      return { name, type, urn, ...(id !== undefined && { id }) };
    });
    const newest = changes.at(-1);
    if (doubts.length === 0 || newest === undefined)
      return doubts.map((doubt) => ({ ...doubt, answers: [] }));
    const { records } = await this.#calls.changes.records(stack, newest.number, 0);
    const messages = await this.#calls.changes.messages(stack, newest.number);
    return knownDoubts(
      doubts,
      newest.number,
      records.map(shownRecord),
      messages.map((text) => JSON.parse(text) as object),
    );
  }
}

function hasWords(words: readonly string[], name: string, tags: Readonly<Record<string, string>>): boolean {
  const text = `${name} ${Object.entries(tags)
    .map((pair) => pair.join('='))
    .join(' ')}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function rowOf(
  stack: StackId,
  tags: ConsoleStackRow['tags'],
  { resources, last, running, inDoubt, pending, approvals, looked, waiting, holder, lost }: ListedRow,
): ConsoleStackRow {
  const info = last && updateInfoOf(last);
  return {
    ...{ ...namesOf(stack), tags, running, inDoubt: running ? 0 : Math.max(inDoubt, pending) },
    ...(resources !== undefined && { resources }),
    ...(info && {
      last: { kind: info.kind, result: info.cairn?.result ?? info.result, endTime: info.endTime },
    }),
    ...(!running && approvals > 0 && { approvals }),
    ...(looked && { drift: driftOf(looked) }),
    ...(waiting > 0 && { waiting }),
    ...(holder !== undefined && { holder }),
    ...lostFields(lost),
  };
}

function driftOf(look: UpdateRecord) {
  return { resources: driftedBy(look), at: look.ending?.at ?? look.createdAt };
}

function namesOf(stack: StackId) {
  return { org: organizationOf(stack), project: stack.project, stack: stack.stack };
}

/** Returns the part of a change that lists show. Its configuration and options stay in the service. */
function changeRow(
  { number, update, operation, sealed }: ServedChange,
  running: string | undefined,
): ConsoleChangeRow {
  const keys = ['operation', 'username', 'hostname', 'message', 'startTime', 'environment', 'continues'];
  const shown = Object.fromEntries(Object.entries(operation).filter(([key]) => keys.includes(key)));
  const { result, status, tasks, ended } = (sealed ?? {}) as NonNullable<ConsoleChangeRow['sealed']>;
  return {
    ...{ number, operation: shown, running: update === running },
    ...(sealed !== undefined && {
      sealed: {
        ...(result !== undefined && { result }),
        ...(status !== undefined && { status }),
        ...(tasks !== undefined && { tasks }),
        ...(ended !== undefined && { ended }),
      },
    }),
  };
}

/** Returns the outputs of the program: those of the root resource. */
function outputsOf({ resources }: ShownDeployment): unknown {
  const root = resources.find((entry) => entry['type'] === 'pulumi:pulumi:Stack');
  return blindedValue(root?.['outputs'] ?? {});
}

function configOf(info: UpdateInfo | undefined): ConsoleStackAnswer['config'] {
  return Object.entries(info?.config ?? {}).map(([key, { secret, string }]) => ({
    ...{ key, secret: secret === true },
    ...(secret !== true && { value: String(string) }),
  }));
}

/** Returns the name of a stack in events and addresses. */
export function stackPath(stack: StackId): string {
  return `${organizationOf(stack)}/${stack.project}/${stack.stack}`;
}
