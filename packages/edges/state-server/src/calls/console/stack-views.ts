import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
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
import type { ApiCaller } from '../caller.js';
import type { ChangeCalls } from '../changes.js';
import type { ServicePorts } from '../service-ports.js';
import { unknownStack } from '../stack-records.js';
import type { Stacks } from '../stacks.js';
import type { Updates } from '../updates.js';
import { knownDoubts } from './doubts.js';
import { shownRecord } from './shown-records.js';

/** Rows of one page of stacks, and changes that the page of a stack lists. */
const PAGE = 50;
const CHANGES = 50;

/** Filter of a list: words that a row has in its name or tags, and the row after which the page begins. */
interface ListRequest {
  readonly words: readonly string[];
  readonly after: string;
  readonly caller: ApiCaller;
}

interface ViewCalls {
  readonly stacks: Stacks;
  readonly updates: Updates;
  readonly changes: ChangeCalls;
}

/** Reads stacks for the console. */
export class StackViews {
  readonly #ports: ServicePorts;
  readonly #calls: ViewCalls;

  constructor(ports: ServicePorts, calls: ViewCalls) {
    this.#ports = ports;
    this.#calls = calls;
  }

  /** Lists stacks by name, in pages. */
  async list({ words, after, caller }: ListRequest): Promise<ConsoleStacksAnswer> {
    const { store } = this.#ports;
    const organizations = await caller.organizations();
    const listed = await Promise.all(organizations.map((organization) => store.listStacks({ organization })));
    const stacks = listed
      .flat()
      .map((stack) => ({ stack, name: stackPath(stack) }))
      .filter(({ name }) => name > after)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const rows: ConsoleStackRow[] = [];
    let last = '';
    for (const { stack, name } of stacks) {
      if (rows.length === PAGE) return { stacks: rows, next: Buffer.from(last).toString('base64url') };
      if (!(await caller.canRead(stack))) continue;
      const tags = await store.tags(stack).catch(() => ({}));
      if (!hasWords(words, name, tags)) continue;
      rows.push(await this.#row(stack, tags));
      last = name;
    }
    return { stacks: rows, next: null };
  }

  /** Returns the overview of one stack. */
  async stack(stack: StackId, caller: ApiCaller): Promise<ConsoleStackAnswer> {
    const { store } = this.#ports;
    const { running, changes } = await this.#calls.changes.list(stack);
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
      changes: rows.slice(0, CHANGES),
      doubts: operation === undefined ? await this.#doubts(stack, state, changes) : [],
      ...(state.integrity !== undefined && { integrity: state.integrity }),
      role: (await caller.roleOn(stack)) ?? 'reader',
      continues: this.#ports.continueChange !== undefined,
    };
  }

  /** Returns a change with its records. */
  async change(stack: StackId, number: number) {
    const { running, changes } = await this.#calls.changes.list(stack);
    const change = changes.find((each) => each.number === number);
    if (change === undefined) throw new Refusal(404, `Change ${number} not found.`);
    const { records } = await this.#calls.changes.records(stack, number, 0);
    return { change: changeRow(change, running), records: records.map(shownRecord) };
  }

  /** Returns the newest state, or that after an update of the history. */
  async deployment(stack: StackId, version?: number): Promise<ShownDeployment> {
    const { stacks } = this.#calls;
    const state = version === undefined ? stacks.exportState(stack) : stacks.exportVersion(stack, version);
    return shownDeployment((await state).deployment);
  }

  /** Refuses a stack that does not exist. */
  async refuseUnknown(stack: StackId): Promise<void> {
    if (!(await this.#ports.store.stackExists(stack))) throw unknownStack(stack);
  }

  version(stack: StackId): Promise<number> {
    return this.#calls.updates.version(stack);
  }

  async #row(stack: StackId, tags: Readonly<Record<string, string>>): Promise<ConsoleStackRow> {
    const { store } = this.#ports;
    // A state that cannot be read hides no other stack.
    const summary = await store.summary(stack).catch(() => undefined);
    const [info] = await this.#calls.stacks.history(stack, { size: 1 }).catch(() => []);
    const { changes } = this.#calls;
    const running = (await changes.running(stack)) !== undefined;
    return {
      ...{ ...namesOf(stack), tags, running, inDoubt: running ? 0 : await changes.countDoubts(stack) },
      ...(summary?.resources !== undefined && { resources: summary.resources }),
      ...(info && { last: { kind: info.kind, result: info.result, endTime: info.endTime } }),
    };
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
