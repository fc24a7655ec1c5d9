import { organizationOf } from '@cairn/backends';
import type { StackId, StateText } from '@cairn/backends';
import { MATCHED_TEXTS } from '@cairn/http-api';
import type { StackAnswer, ConfigPlaceMessage, StackRow, StacksAnswer, UpdateInfo } from '@cairn/http-api';
import { renamedStack } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { checkedDocument, readDocument, writtenDocument } from '../domain/fold.js';
import { lostFields } from '../domain/lost-state.js';
import { Refusal } from '../domain/refusal.js';
import { lifeOf, occasionsOf } from '../domain/hooks.js';
import { currentOperationOf, updateInfoOf } from '../domain/update-info.js';
import { documentText, etagOf } from '../store/document-bytes.js';
import type { StackOverview, StackQuery, StackRecord, TaggedStack } from '../store/service-store.js';
import { addEndedChange } from './import-change.js';
import type { ImportedChange } from './import-change.js';
import { addPastVersion } from './import-version.js';
import type { PastVersion } from './import-version.js';
import type { HookSender } from './hook-sender.js';
import { removeHooksOf, stackScope } from './hooks.js';
import { briefUpdate } from './brief-update.js';
import type { ApiCaller } from './caller.js';
import type { LostStates } from './lost-states.js';
import { inStackTurn, seconds } from './service-ports.js';
import type { ServicePorts, TurnPorts } from './service-ports.js';
import { releaseLock, lockServedStack } from './stack-locks.js';
import { stackKey } from '../domain/stack-key.js';
import { newStackRecord, noteNews, unknownStack, recordOf } from './stack-records.js';
import type { ProjectName } from './stack-names.js';
import { refuseTerraformOf } from './terraform.js';
import type { UpdateEnds } from './update-ends.js';
import type { Updates } from './updates.js';

/** Rows of one page of the list of stacks. */
const PAGE = 100;

/** Filter of the list of stacks. Without a value, a tag matches with any. */
interface StackFilter {
  readonly project: string | undefined;
  readonly organization: string | undefined;
  readonly tagName: string | undefined;
  readonly tagValue: string | undefined;
  readonly after: string | undefined;
  /** Stacks that the caller may not read are left out. */
  readonly caller: ApiCaller;
}

/** Stack to create. `state` is its initial state. */
interface NewStack {
  readonly tags: Readonly<Record<string, string>>;
  readonly config?: ConfigPlaceMessage | undefined;
  readonly state: StateText | undefined;
  readonly by: string;
}

/** State to import. `ifMatch` is the mark of the state that it replaces, if that must be the present one. */
interface ImportRequest {
  readonly state: StateText;
  readonly by: string;
  readonly ifMatch: string | undefined;
}

/** Stacks: their life, tags, states and history. */
export class Stacks {
  readonly #ports: ServicePorts;
  readonly #updates: Updates;
  readonly #ends: UpdateEnds;
  readonly #hooks: HookSender;
  readonly #lost: LostStates;

  constructor(ports: ServicePorts, updates: Updates, ends: UpdateEnds, hooks: HookSender, lost: LostStates) {
    this.#ports = ports;
    this.#updates = updates;
    this.#ends = ends;
    this.#hooks = hooks;
    this.#lost = lost;
  }

  async get(stack: StackId): Promise<StackAnswer> {
    const { store } = this.#ports;
    const { lost, ...record } = await this.#looked(stack);
    const running = await this.#updates.running(stack);
    return {
      id: record.id,
      ...wireNames(stack),
      ...(running && { currentOperation: currentOperationOf(running) }),
      activeUpdate: running?.id ?? record.latest ?? '',
      tags: await store.tags(stack),
      ...(record.config && { config: record.config }),
      version: await this.#updates.version(stack),
      ...lostFields(lost),
    };
  }

  /** Lists stacks by project and name, in pages. */
  async list(filter: StackFilter): Promise<StacksAnswer> {
    const { after = '', project, caller } = filter;
    const organizations = (await caller.organizations()).filter(
      (name) => filter.organization === undefined || filter.organization === name,
    );
    const listed = await Promise.all(
      organizations.map((organization) => this.#found({ organization, project, tag: tagIn(filter) })),
    );
    const stacks = listed
      .flat()
      .filter(({ stack }) => stackKey(stack) > after)
      .sort((a, b) => (stackKey(a.stack) < stackKey(b.stack) ? -1 : 1));
    const page: StackId[] = [];
    for (const [index, { stack, tags }] of stacks.entries()) {
      if (page.length === PAGE) {
        const continuationToken = tokenOf((stacks[index - 1] as TaggedStack).stack);
        return { stacks: await this.#rows(page), continuationToken };
      }
      const isWanted = tags !== undefined || (await this.#matches(stack, filter));
      if (isWanted && (await caller.canRead(stack, tags))) page.push(stack);
    }
    return { stacks: await this.#rows(page), continuationToken: null };
  }

  /** Returns true if a project has stacks that the caller may read. */
  async projectExists(name: ProjectName, caller: ApiCaller): Promise<boolean> {
    for (const stack of await this.#ports.store.listStacks(name))
      if (await caller.canRead(stack)) return true;
    return false;
  }

  create(stack: StackId, { tags, config, state, by }: NewStack): Promise<void> {
    return inStackTurn(this.#ports, [stack], async (ports) => {
      const { store } = ports;
      if (await store.stackExists(stack))
        throw new Refusal(409, `Stack '${stack.stack}' ${MATCHED_TEXTS.alreadyExists}.`);
      const checked = state && checkedDocument(state, 'the initial state', ports);
      await this.add(ports, stack, { ...(await newStackRecord(ports)), ...(config && { config }) }, by);
      if (Object.keys(tags).length > 0) await store.setTags(stack, tags);
      if (checked !== undefined) await storeInitial(ports, stack, checked, by);
    });
  }

  /** Adds a stack with its record. Runs in the turn of a stack that does not exist. */
  async add(ports: TurnPorts, stack: StackId, record: StackRecord, by: string): Promise<void> {
    const { store } = ports;
    await refuseTerraformOf(ports, stack);
    // An old record of this name belongs to a stack that is gone.
    await store.putStackRecord(stack, record);
    await store.createStack(stack);
    await this.#noteLife(ports, stack, 'created', by);
  }

  /** Removes a stack, and its webhooks afterwards. */
  async remove(stack: StackId, force: boolean, by: string): Promise<void> {
    const removed = await inStackTurn(this.#ports, [stack], async (ports) => {
      await this.#ends.refuseSecond(stack, ports);
      const record = await ports.store.stackRecord(stack);
      const open = record === undefined ? [] : await ports.store.openDeployments(record.id);
      await this.#noteLife(ports, stack, 'deleted', by);
      await ports.store.removeStack(stack, force);
      await ports.store.removeStackRecord(stack);
      // Agents look at it no more.
      if (record !== undefined) await ports.store.wakeStack(stack, record.id, undefined);
      return { id: record?.id, tokens: open.flatMap(({ token }) => token ?? []) };
    });
    const { id, tokens } = removed;
    // Those of its runs end with it [AGT-15].
    for (const token of tokens) await this.#ports.store.removeToken(token);
    if (id !== undefined) await removeHooksOf(this.#ports.store, stackScope(stack, id));
  }

  /**
   * Renames a stack. Its record, with its id and key, is at the new name before the state is, and leaves the old name
   * last: secrets can be opened at any moment. An interrupted renaming can be repeated.
   */
  rename(from: StackId, to: StackId, by: string): Promise<void> {
    return inStackTurn(this.#ports, [from, to], async (ports) => {
      const { store } = ports;
      const record = await recordOf(ports, from);
      const there = (await store.stackExists(to)) ? await recordOf(ports, to) : undefined;
      if (stackKey(from) === stackKey(to) || (there !== undefined && there.id !== record.id))
        throw new Refusal(409, `Stack '${to.stack}' ${MATCHED_TEXTS.alreadyExists}.`);
      await refuseTerraformOf(ports, to);
      await this.#ends.refuseSecond(from, ports);
      const update = { kind: 'rename', by, message: `renamed from ${stackKey(from)}` } as const;
      await briefUpdate(ports, from, update, async () => {
        await store.putStackRecord(to, record);
        await store.renameStack(from, to, (state) => renamed(ports, state, from, to));
        await store.removeStackRecord(from);
        // Agents look for it by its new name.
        await store.wakeStack(to, record.id, 0);
        return { state: await store.readState(to), at: to };
      });
    });
  }

  setTags(stack: StackId, tags: Readonly<Record<string, string>>): Promise<void> {
    return inStackTurn(this.#ports, [stack], async (ports) => {
      await recordOf(ports, stack);
      await ports.store.setTags(stack, tags);
    });
  }

  /** Returns the place of the configuration of a stack. Refuses a stack whose project has it. */
  async config(stack: StackId): Promise<ConfigPlaceMessage> {
    const { config } = await this.record(stack);
    if (config !== undefined) return config;
    throw new Refusal(404, `The configuration of stack '${stack.stack}' is in its project.`);
  }

  /** Sets the place of the configuration of a stack, or leaves it to the project. */
  setConfig(stack: StackId, config: ConfigPlaceMessage | undefined): Promise<void> {
    return inStackTurn(this.#ports, [stack], async (ports) => {
      await ports.store.putStackRecord(stack, { ...(await recordOf(ports, stack)), config });
    });
  }

  async exportState(stack: StackId): Promise<StateText> {
    return this.#updates.state(stack);
  }

  /** Returns the state after an update. The version of an update that runs is its state so far. */
  async exportVersion(stack: StackId, version: number): Promise<StateText> {
    if (!(await this.#ports.store.stackExists(stack))) throw unknownStack(stack);
    const newest = await this.#updates.version(stack);
    if (version === newest + 1 && (await this.#updates.running(stack)) !== undefined)
      return this.#updates.state(stack);
    if (version < 1 || version > newest) throw new Refusal(404, `Version ${version} not found.`);
    return this.#ports.store.readStateAfter(stack, version);
  }

  /**
   * Replaces the state of a stack. Returns the id of the update that records it. With `ifMatch`, only if the state is
   * the one that has this mark.
   */
  importState(stack: StackId, { state, by, ifMatch }: ImportRequest): Promise<string> {
    return inStackTurn(this.#ports, [stack], async (ports) => {
      await this.#ends.refuseSecond(stack, ports);
      if (ifMatch !== undefined && ifMatch !== etagOf(documentText(await ports.store.readState(stack))))
        throw new Refusal(412, 'The state of the stack has changed.');
      const checked = checkedDocument(state, 'the imported state', ports);
      const update = { kind: 'import', by, message: 'stack import' } as const;
      const id = await briefUpdate(ports, stack, update, async () => ({ state: checked, at: stack }));
      const ending = { status: 'succeeded', at: seconds(ports.now()) } as const;
      const occasions = occasionsOf({ ...update, id, dryRun: false }, ending);
      await this.#hooks.note(ports.store, stack, (await recordOf(ports, stack)).id, occasions);
      return id;
    });
  }

  /** Adds an update of the past to the history, and its state; see `addPastVersion`. */
  importVersion(stack: StackId, past: PastVersion): Promise<void> {
    return inStackTurn(this.#ports, [stack], async (ports) => {
      await this.#ends.refuseSecond(stack, ports);
      const state = past.state && checkedDocument(past.state, 'the imported state', ports);
      await addPastVersion(ports, stack, { ...past, state });
    });
  }

  /** Adds a change that has ended; see `addEndedChange`. */
  importChange(stack: StackId, change: ImportedChange): Promise<void> {
    return inStackTurn(this.#ports, [stack], async (ports) => {
      await this.#ends.refuseSecond(stack, ports);
      await addEndedChange(ports, stack, change);
    });
  }

  version(stack: StackId): Promise<number> {
    return this.#updates.version(stack);
  }

  async history(
    stack: StackId,
    page: { readonly size?: number; readonly page?: number },
  ): Promise<readonly UpdateInfo[]> {
    if (!(await this.#ports.store.stackExists(stack))) throw unknownStack(stack);
    return (await this.#ports.store.history(stack, page)).map(updateInfoOf);
  }

  record(stack: StackId): Promise<StackRecord> {
    return inStackTurn(this.#ports, [stack], (ports) => recordOf(ports, stack));
  }

  /** Returns the record of a stack, without the mark of a loss that was mended. */
  #looked(stack: StackId): Promise<StackRecord> {
    return inStackTurn(this.#ports, [stack], async (ports) => {
      const record = await recordOf(ports, stack);
      return { ...record, lost: await this.#lost.of(ports, stack, record) };
    });
  }

  async #noteLife(
    ports: TurnPorts,
    stack: StackId,
    action: 'created' | 'deleted',
    by: string,
  ): Promise<void> {
    const { id } = (await ports.store.stackRecord(stack)) ?? { id: stack.stack };
    await this.#hooks.note(ports.store, stack, id, [lifeOf(action, by, seconds(ports.now()))]);
  }

  /** Finds stacks. Those without tags are not filtered by them yet. */
  async #found(query: StackQuery): Promise<readonly TaggedStack[]> {
    const { store } = this.#ports;
    if (store.findStacks !== undefined) return store.findStacks(query);
    return (await store.listStacks(query)).map((stack) => ({ stack, tags: undefined }));
  }

  async #matches(stack: StackId, { tagName, tagValue }: StackFilter): Promise<boolean> {
    if (tagName === undefined) return true;
    const tags = await this.#ports.store.tags(stack);
    return Object.hasOwn(tags, tagName) && (tagValue === undefined || tags[tagName] === tagValue);
  }

  async #rows(stacks: readonly StackId[]): Promise<readonly StackRow[]> {
    const { store } = this.#ports;
    const overviews = store.overviews ?? ((each) => Promise.all(each.map((stack) => this.#overview(stack))));
    const found = stacks.length === 0 ? [] : await overviews(stacks);
    return stacks.map((stack, index) => rowOf(stack, found[index] as StackOverview));
  }

  async #overview(stack: StackId): Promise<StackOverview> {
    // A state that cannot be read hides no other stack.
    const { lastUpdate, resources } = (await this.#ports.store.summary(stack).catch(() => undefined)) ?? {};
    const running = (await this.#updates.running(stack)) !== undefined;
    const { lost } = await this.#lost.listed(stack);
    return { lastUpdate, resources, running, lost };
  }
}

function tagIn({ tagName: name, tagValue: value }: StackFilter): StackQuery['tag'] {
  return name === undefined ? undefined : { name, value };
}

function rowOf(stack: StackId, { lastUpdate, resources, running, lost }: StackOverview): StackRow {
  const time = lastUpdate === undefined ? undefined : Math.floor(Date.parse(lastUpdate) / 1000);
  return {
    id: stackKey(stack),
    ...wireNames(stack),
    ...((running || time !== undefined) && { lastUpdate: running ? 0 : (time as number) }),
    ...(resources !== undefined && { resourceCount: resources }),
    ...lostFields(lost),
  };
}

/** Stores the state that a stack begins with. It is no update. */
async function storeInitial(ports: TurnPorts, stack: StackId, state: StateText, by: string): Promise<void> {
  const { store, newId } = ports;
  const { id: stackId } = await recordOf(ports, stack);
  const note = { ...stack, stackId, id: newId() };
  await lockServedStack(store, note, `creation of the stack by ${by} through the state service`);
  try {
    const stored = await store.storeState(stack, note.id, state);
    if (stored !== undefined) await noteNews(ports, stack, { stored, keepsMark: true });
  } finally {
    await releaseLock(store, note);
  }
}

function renamed(ports: TurnPorts, state: StateText, from: StackId, to: StackId): StateText {
  const before = readDocument(state, 'the state');
  return writtenDocument(withServiceNames(renamedStack(before, from, to), to), ports);
}

function wireNames(id: StackId): Pick<StackRow, 'orgName' | 'projectName' | 'stackName'> {
  return { orgName: organizationOf(id), projectName: id.project, stackName: id.stack };
}

function tokenOf(stack: StackId): string {
  return Buffer.from(stackKey(stack)).toString('base64url');
}

/** Renames the stack in the settings of its secrets manager, if that is the service. */
function withServiceNames(
  deployment: SerializedDeployment,
  { project, stack }: StackId,
): SerializedDeployment {
  const manager = deployment.secretsProvider;
  if (manager?.type !== 'service' || manager.state === undefined) return deployment;
  const settings = JSON.parse(manager.state) as Readonly<Record<string, unknown>>;
  return {
    ...deployment,
    secretsProvider: { ...manager, state: JSON.stringify({ ...settings, project, stack }) },
  };
}
