import type { RunOptions, Outcome, Prepared } from '@cairn/operations';
import type { OpenStack, Ports } from '@cairn/operations/stacks';
import { StackConfig } from './config.js';
import { operationOptions } from './inside/operation-options.js';
import { projectPorts } from './inside/place.js';
import type { ProjectPlace } from './inside/place.js';
import type { StacksModule } from './inside/parts.js';
import { publicError } from './inside/public-error.js';
import { startEngineOperation } from './inside/run.js';
import type { Operation } from './operation.js';
import type {
  CancelOptions,
  DestroyOptions,
  HistoryOptions,
  ImportOptions,
  OperationSettings,
  PreviewOptions,
  RefreshOptions,
  ResumeOptions,
  UpOptions,
} from './options.js';
import type { Outputs } from './outputs.js';
import type { StackChange, DoubtAnswer, ImportItem, PastOperation, StateDocument } from './records.js';
import type { OperationResult, PreviewResult, UpResult } from './results.js';

/**
 * A stack of a project. Nothing stays open between calls. Two operations on different stacks may run at once; a second
 * one on the same stack fails with a `StackLockedError`.
 *
 * `Returned` is the return type of the program; it makes outputs typed.
 */
export class Stack<Returned = unknown> {
  readonly #place: ProjectPlace;
  /** Name of the stack. */
  readonly name: string;
  /** Name of its project. */
  readonly project: string;
  /** Its configuration. */
  readonly config: StackConfig;
  readonly #running = new Set<Operation<unknown>>();

  /** @internal */
  constructor(place: ProjectPlace, name: string) {
    this.#place = place;
    this.name = name;
    this.project = place.project;
    const choice = { stack: name, backendUrl: place.backendUrl };
    this.config = new StackConfig({
      run: (work) =>
        place.turns.run(() =>
          this.#with(async (stacks, ports) => work(stacks, await stacks.openStackFile(ports, choice))),
        ),
    });
  }

  /**
   * Runs the program, and shows what an `up`, or the operation in `of`, would do. It changes nothing and takes no lock.
   */
  preview(options: PreviewOptions = {}): Operation<PreviewResult<Returned>> {
    const { of: kind = 'up', plan = false } = options;
    return this.#start(
      options,
      ({ previewOperation }, prepared, runOptions) =>
        previewOperation(prepared, { kind, options: operationOptions(options) }, runOptions, { make: plan }),
      async ({ outcome }, common, prepared) => ({
        ...common,
        outputs: (await readOutputs(outcome.result.stackOutputs)) as PreviewResult<Returned>['outputs'],
        plan: await planOf(prepared, outcome.result.plan),
      }),
    );
  }

  /** Runs the program, and brings the real resources in line with its declarations. */
  up(options: UpOptions = {}): Operation<UpResult<Returned>> {
    const { plan } = options;
    const rules = plan === undefined ? {} : { plan: { name: 'the plan', text: plan } };
    return this.#start(
      options,
      ({ operate }, prepared, runOptions) =>
        operate(prepared, { kind: 'up', options: operationOptions(options) }, runOptions, rules),
      ({ outcome }, common) => this.#withOutputs(outcome, common),
    );
  }

  /** Reads the real state of the resources into the state of the stack. */
  refresh(options: RefreshOptions = {}): Operation<OperationResult> {
    const { clearPendingCreates: clear = false, importPendingCreates: made = {} } = options;
    const isSaid = clear || Object.keys(made).length > 0;
    const pendingCreates = isSaid ? { made: new Map(Object.entries(made)), clear } : undefined;
    return this.#operate('refresh', options, { pendingCreates });
  }

  /** Deletes every resource of the stack. The stack itself remains unless `remove` is set. */
  destroy(options: DestroyOptions = {}): Operation<OperationResult> {
    return this.#operate('destroy', options);
  }

  /** Continues the newest change where it stopped, after a crash of any process or a failure. */
  resume(options: ResumeOptions = {}): Operation<UpResult<Returned>> {
    return this.#start(
      options,
      ({ resumeOperation }, prepared, runOptions) =>
        resumeOperation(prepared, options.change, operationOptions(options), runOptions),
      ({ outcome }, common) => this.#withOutputs(outcome, common),
    );
  }

  /** Undoes the newest change. A change that is complete must be named. */
  rollback(options: ResumeOptions = {}): Operation<OperationResult> {
    return this.#start(
      options,
      ({ rollBackOperation }, prepared, runOptions) =>
        rollBackOperation(
          prepared,
          options.change,
          { options: operationOptions(options) },
          { ...runOptions, confirmed: true },
        ),
      (_, common) => common,
    );
  }

  /** Imports existing objects as resources of the stack. Declare them in the program before the next `up`. */
  import(items: readonly ImportItem[], options: ImportOptions = {}): Operation<OperationResult> {
    const { protect = true } = options;
    const list = JSON.stringify({ resources: items });
    return this.#start(
      options,
      ({ importRequest, operate }, prepared, runOptions) => {
        const given = { ...operationOptions(options), protect };
        const imports = importRequest({ words: [], list, source: 'the list of imports' }, given);
        return operate(prepared, { kind: 'import', options: given, imports }, runOptions);
      },
      (_, common) => common,
    );
  }

  /**
   * Records the outcome of a step in doubt, and does nothing else; `resume` continues from there. `task` is its name in
   * {@link OperationResult.waiting}, or the URN of its resource.
   */
  resolve(task: string, answer: DoubtAnswer, settings: OperationSettings = {}): Operation<OperationResult> {
    return this.#start(
      settings,
      async ({ resolveDoubt }, prepared, runOptions) => {
        const { readAnswer } = await import('./inside/doubt-answer.js');
        return resolveDoubt(prepared, task, readAnswer(answer), runOptions);
      },
      (_, common) => common,
    );
  }

  /** Approves a task that a change waits for. `task` is its name in {@link OperationResult.waiting}. */
  async approve(change: number, task: string): Promise<void> {
    await this.#open((stacks, stack) => stacks.approveTask(stack, change, task));
  }

  /**
   * Asks the operation that runs on the stack, in this process or in another one, to end. No further step starts, and
   * running steps complete. Resolves once the request is made, with false if no operation runs.
   */
  async cancel({ rollback = false }: CancelOptions = {}): Promise<boolean> {
    if (!rollback && this.#running.size > 0) {
      for (const operation of this.#running) operation.cancel('finish');
      return true;
    }
    return this.#open(async (stacks, stack) => {
      const running = (await stacks.stackChanges(stack)).find((change) => change.running);
      if (running === undefined) return false;
      await stacks.abortChange(stack, running, { keep: !rollback });
      return true;
    });
  }

  /**
   * Removes the locks of the stack when their holder is gone. A holder that still works on the stack is cut off. Fails
   * with `CAIRN-STATE-LOCKED` if a person has locked it.
   */
  async unlock(): Promise<void> {
    await this.#open((stacks, stack) => stacks.cancelOperation(stack));
  }

  /** Returns the outputs of the last operation. Secrets are decrypted and marked. */
  async outputs(): Promise<Outputs<Returned>> {
    return this.#open(
      async (stacks, stack) =>
        (await readOutputs(await stacks.stackOutputs(stack, true))) as Outputs<Returned>,
    );
  }

  /** Returns the operations on the stack, newest first. */
  async history(options: HistoryOptions = {}): Promise<readonly PastOperation[]> {
    const rows = await this.#open((stacks, stack) => stacks.stackHistory(stack, options));
    return rows.map(({ number, kind, result, message, startTime, endTime, resourceChanges: changes }) => ({
      ...{ number, kind, result, message, changes },
      started: new Date(startTime * 1000),
      ended: new Date(endTime * 1000),
    }));
  }

  /** Returns the changes of the stack whose records are kept, oldest first. They can be resumed or rolled back. */
  async changes(): Promise<readonly StackChange[]> {
    const rows = await this.#open((stacks, stack) => stacks.stackChanges(stack));
    return rows.map(({ number, kind, result, summary: message, running, unfinished, spawned, ended }) => ({
      ...{ number, kind, result, message, running, unfinished },
      started: new Date(spawned),
      ended: ended === undefined ? undefined : new Date(ended),
    }));
  }

  /** Returns the state as a document. With `showSecrets`, it contains secrets in clear. */
  async exportState({
    showSecrets = false,
  }: { readonly showSecrets?: boolean | undefined } = {}): Promise<StateDocument> {
    const pieces = await this.#open((stacks, stack) =>
      stacks.exportStack(stack, { showSecrets, plain: true }),
    );
    return JSON.parse([...pieces].join('')) as StateDocument;
  }

  /** Makes a document the state of the stack. With `force`, it may be a document of another stack. */
  async importState(
    document: StateDocument,
    { force = false }: { readonly force?: boolean | undefined } = {},
  ): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(document));
    await this.#open((stacks, stack) => stacks.importStack(stack, bytes, { source: 'the document', force }));
  }

  /**
   * Removes resources from the state by their URNs; their objects remain, and Cairn no longer manages them. `force`
   * includes protected resources, and `dependents` includes everything that depends on them. Returns the removed URNs.
   */
  async removeFromState(
    urns: readonly string[],
    {
      force,
      dependents,
    }: { readonly force?: boolean | undefined; readonly dependents?: boolean | undefined } = {},
  ): Promise<readonly string[]> {
    const changed = await this.#open((stacks, stack) =>
      stacks.deleteFromState(stack, { urns, force, dependents }),
    );
    return changed.map(({ urn }) => urn);
  }

  /**
   * Marks resources in the state as protected, or removes the mark with `on: false`. Returns the URNs that were
   * changed.
   */
  protect(urns: readonly string[], { on = true }: MarkOptions = {}): Promise<readonly string[]> {
    return this.#mark('protect', urns, on);
  }

  /**
   * Marks resources for replacement by the next `up`, or removes the mark with `on: false`. Returns the URNs that were
   * changed.
   */
  taint(urns: readonly string[], { on = true }: MarkOptions = {}): Promise<readonly string[]> {
    return this.#mark('taint', urns, on);
  }

  /** Renames a resource in the state, as its program does. */
  async renameResource(urn: string, name: string): Promise<void> {
    await this.#open((stacks, stack) => stacks.renameInState(stack, { urn, name }));
  }

  /** Moves resources and their descendants to another stack of the project. Returns their number. */
  async moveToStack(urns: readonly string[], name: string): Promise<number> {
    return this.#open((stacks, stack) =>
      stacks.moveInState(stack, { dest: { project: stack.id.project, stack: name }, urns }),
    );
  }

  /** Returns the tags of the stack, values by name. */
  async tags(): Promise<Readonly<Record<string, string>>> {
    return this.#open(async (_, { backend, id }) => ({ ...(await backend.tags(id)) }));
  }

  /** Sets a tag. Fails with `CAIRN-USAGE` for a name or value that cannot be stored. */
  async setTag(name: string, value: string): Promise<void> {
    await this.#open((stacks, stack) => stacks.setTag(stack, name, value));
  }

  /** Removes a tag. Fails with `CAIRN-USAGE` if the stack has none of that name. */
  async removeTag(name: string): Promise<void> {
    await this.#open((stacks, stack) => stacks.removeTag(stack, name));
  }

  /** Renames the stack with its history, configuration and changes. This object keeps the old name. */
  async rename(name: string): Promise<Stack<Returned>> {
    const renamed = await this.#open((stacks, stack) => stacks.renameStack(stack, name));
    return new Stack<Returned>(this.#place, renamed.stack);
  }

  async #mark(mark: 'protect' | 'taint', urns: readonly string[], on: boolean): Promise<readonly string[]> {
    const changed = await this.#open((stacks, stack) => stacks.markInState(stack, { mark, urns, on }));
    return changed.map(({ urn }) => urn);
  }

  #operate(
    kind: 'refresh' | 'destroy',
    options: RefreshOptions | DestroyOptions,
    more: Pick<RunOptions, 'pendingCreates'> = {},
  ): Operation<OperationResult> {
    return this.#start(
      options,
      ({ operate }, prepared, runOptions) =>
        operate(prepared, { kind, options: operationOptions(options) }, { ...runOptions, ...more }),
      (_, common) => common,
    );
  }

  async #withOutputs(outcome: Outcome, common: OperationResult): Promise<UpResult<Returned>> {
    return { ...common, outputs: (await readOutputs(outcome.result.stackOutputs)) as Outputs<Returned> };
  }

  #start<O extends Outcome, R extends OperationResult>(
    settings: OperationSettings,
    ...how: DropTwo<Parameters<typeof startEngineOperation<O, R>>>
  ): Operation<R> {
    const choice = { stack: this.name, backendUrl: this.#place.backendUrl };
    const operation = startEngineOperation({ place: this.#place, choice }, settings, ...how);
    this.#running.add(operation);
    operation.onEnd(() => this.#running.delete(operation));
    return operation;
  }

  /** Runs work with the stack's backend open. */
  #open<T>(work: (stacks: StacksModule, stack: OpenStack) => Promise<T>): Promise<T> {
    const choice = { stack: this.name, backendUrl: this.#place.backendUrl };
    return this.#with((stacks, ports) => stacks.withStack(ports, choice, (stack) => work(stacks, stack)));
  }

  async #with<T>(work: (stacks: StacksModule, ports: Ports) => Promise<T>): Promise<T> {
    const [stacks, ports] = await Promise.all([
      import('@cairn/operations/stacks'),
      projectPorts(this.#place),
    ]);
    return work(stacks, ports).catch((error: unknown) => {
      throw publicError(error);
    });
  }
}

/** Options for setting or removing a mark. */
export interface MarkOptions {
  /** True sets the mark, false removes it. Defaults to true. */
  readonly on?: boolean | undefined;
}

type DropTwo<T extends readonly unknown[]> = T extends [unknown, unknown, ...infer Rest] ? Rest : never;

async function planOf(prepared: Prepared, plan: Outcome['result']['plan']): Promise<string | undefined> {
  if (plan === undefined) return undefined;
  const { planText } = await import('@cairn/operations');
  return planText(prepared, plan);
}

async function readOutputs(outputs: Outcome['result']['stackOutputs']): Promise<object> {
  return (await import('./inside/read-outputs.js')).readOutputs(outputs);
}
