import { nearest } from '@cairn/diagnostics';
import type { TfPath } from '@cairn/tfplugin';
import { getProperty } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { InitFailedError, ProviderError } from '@cairn/wire';
import type {
  CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  KeptAnswers,
  ReadRequest,
  ReadResponse,
  ResourceIdentity,
  UpdateRequest,
  UpdateResponse,
} from '@cairn/wire';
import type { TerraformInput } from '../values/index.js';
import { EdgeError, keepTimeouts, objectId, markSecretInputs, withTimeout } from '../values/index.js';
import { TerraformFailure } from '../lifecycle/index.js';
import type {
  ApplyResult,
  TerraformObjectState,
  Planned,
  StoredObject,
  Subject,
  TerraformClient,
  Upgraded,
} from '../lifecycle/index.js';
import { STATE_PROPERTY } from '../model/index.js';
import type { ObjectModel, ProviderModel } from '../model/index.js';
import { AnswerMemory } from './answer-memory.js';
import type { ConnectedProvider } from './connected-provider.js';
import { asking, changing, edgeFailures, failureError, failuresOf, shownText } from './errors.js';
import { inputsAfterRead, inputsOfObject } from './found-inputs.js';
import { KeptCalls } from './kept-calls.js';
import { configurationFrom, diffOf, ignoredPaths, plannedOutputs, unchanged } from './managed-object.js';
import type { Messages } from './messages.js';
import { PlanMemory } from './plan-memory.js';
import { objectOutputs, storedIn } from './stored-state.js';

/** Everything about the objects of a provider but the provider itself. */
interface Around {
  readonly messages: Messages;
  /** Full address of the provider. */
  readonly address: string;
  /** Answers of earlier operations. Undefined if every call is to be made. */
  readonly keptAnswers: KeptAnswers | undefined;
}

/** Resources of the engine as objects of a Terraform provider. */
export class ManagedObjects {
  readonly #plans = new PlanMemory();
  readonly #answers = new AnswerMemory();
  readonly #client: TerraformClient;
  readonly #model: ProviderModel;
  readonly #messages: Messages;
  readonly #address: string;
  readonly #kept: KeptCalls;

  constructor({ client, model, identity }: ConnectedProvider, { messages, address, keptAnswers }: Around) {
    this.#client = client;
    this.#model = model;
    this.#messages = messages;
    this.#address = address;
    this.#kept = new KeptCalls(client, keptAnswers, identity);
  }

  /** Forgets plans, so that a change shown in a preview is planned again when it is applied. */
  endPass(): void {
    this.#plans.clear();
    this.#answers.endPass();
  }

  /** Forgets answers given without settings, or with other ones, because the provider received new settings. */
  configured(): void {
    this.#answers.clear();
  }

  async check(request: CheckRequest): Promise<CheckResponse> {
    const object = this.#object(request.type);
    const { shape } = object;
    const inputs = markSecretInputs(shape, request.news);
    return asking(async () => {
      try {
        const { value: config } = configurationFrom(object, request.news);
        const asked = this.#answers.question(request.urn, shape.block, config, 'valid');
        if (this.#answers.stands(asked)) return { inputs, failures: [] };
        const said = await this.#kept.validate(object.type, shape.block, config);
        this.#answers.answered(asked, { config, outcome: 'valid', said });
        this.#messages.warn(request.urn, shape, said);
        return { inputs, failures: failuresOf(shape, said) };
      } catch (error) {
        if (!(error instanceof EdgeError)) throw error;
        return { inputs, failures: edgeFailures(error.failures) };
      }
    }, shape);
  }

  async diff(request: DiffRequest): Promise<DiffResponse> {
    const object = this.#object(request.type);
    return asking(async () => {
      const { urn, ignoreChanges } = request;
      const given = configurationFrom(object, request.news);
      const { stored, text } = storedIn(request.oldOutputs, urn);
      const { block } = object.shape;
      const asked = this.#answers.question(urn, block, given.value, 'plan', text, ...ignoreChanges);
      if (this.#answers.stands(asked)) return unchanged;
      const { state, ...told } = await this.#upgraded(object, request, stored, text);
      const planned = await this.#plan(object, request, given, state, ignoreChanges);
      this.#plans.remember(urn, text, planned);
      const moved = isOfAnotherType(object, stored);
      const said = [...told.warnings, ...planned.warnings];
      this.#answers.answered(asked, { config: given.value, outcome: planned.action, moved, said });
      const inputs = { before: request.oldInputs, after: request.news };
      return diffOf(object, state, planned, inputs, moved);
    }, object.shape);
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    const object = this.#object(request.type);
    const { urn, inputs, timeoutSeconds } = request;
    const { subject, planned, secrets } = await asking(async () => {
      const given = configurationFrom(object, inputs);
      const { block } = object.shape;
      const config = withTimeout(block, given.value, 'create', request.preview ? 0 : timeoutSeconds);
      const about = subjectOf(object, request, given.secrets);
      const made = await this.#client.plan(about, { config });
      this.#messages.told(this.#client.name, urn, object.shape, made);
      if (!request.preview) this.#plans.check(this.#client, about, block, made, undefined);
      return { subject: about, planned: made, secrets: given.secrets };
    }, object.shape);
    if (request.preview) {
      const id = objectId(planned.planned) ?? '';
      return { id, outputs: plannedOutputs(object, planned, secrets), refreshBeforeUpdate: false };
    }
    const applied = await this.#applied(object, urn, () => this.#client.apply(subject, planned));
    const { state, failure } = applied;
    if (failure !== undefined) throw this.#failedChange(object, applied, failure, 'create');
    if (state === undefined)
      throw new ProviderError('INTERNAL', `the object does not exist after the create of ${urn}`);
    const id = objectId(state.value) ?? '';
    return { id, outputs: objectOutputs(this.#client, object, state), refreshBeforeUpdate: false };
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const object = this.#object(request.type);
    const { urn, news, preview, timeoutSeconds } = request;
    const { state, subject, planned, secrets } = await asking(async () => {
      const { state: prior, text } = await this.#prior(object, request, request.oldOutputs);
      const seconds = preview ? 0 : timeoutSeconds;
      const given = configurationFrom(object, news);
      const made = await this.#plan(object, request, given, prior, request.ignoreChanges, seconds);
      const about = subjectOf(object, request, made.secrets);
      if (!preview) {
        this.#plans.check(this.#client, about, object.shape.block, made, text);
        refuseReplacement(urn, made);
      }
      return { state: prior, subject: about, planned: made, secrets: made.secrets };
    }, object.shape);
    if (preview) return { outputs: plannedOutputs(object, planned, secrets), refreshBeforeUpdate: false };
    const applied =
      planned.action === 'none'
        ? { state: { ...state, sensitivePaths: secrets }, answered: true, warnings: [], notes: [] }
        : await this.#applied(object, urn, () => this.#client.apply(subject, planned));
    if (applied.failure !== undefined) throw this.#failedChange(object, applied, applied.failure, 'update');
    const outputs = objectOutputs(this.#client, object, applied.state ?? state);
    return { outputs, refreshBeforeUpdate: false };
  }

  async delete(request: DeleteRequest): Promise<void> {
    const object = this.#object(request.type);
    const { urn } = request;
    const subject = subjectOf(object, request, []);
    const planned = await asking(async () => {
      const { state, text } = await this.#prior(object, request, request.oldOutputs);
      const bytes = this.#plans.replacing(urn, text);
      const { identity } = state;
      if (bytes !== undefined) {
        return { prior: state, private: bytes, ...(identity && { identity }), warnings: [], notes: [] };
      }
      const made = await this.#client.planDelete(subject, state);
      this.#messages.told(this.#client.name, urn, object.shape, made);
      return made;
    }, object.shape);
    const applied = await this.#applied(object, urn, () => this.#client.applyDelete(subject, planned));
    const { failure, state } = applied;
    if (failure === undefined) return;
    const left = state && { ...state, sensitivePaths: planned.prior.sensitivePaths ?? [] };
    throw this.#failedChange(object, { ...applied, state: left }, failure, 'delete');
  }

  async read(request: ReadRequest): Promise<ReadResponse> {
    const object = this.#object(request.type);
    return asking(async () => {
      const { state } = request;
      const known = state !== undefined && getProperty(state, STATE_PROPERTY) !== undefined;
      return known ? this.#readAgain(object, request, state) : this.#importObject(object, request);
    }, object.shape);
  }

  async #readAgain(object: ObjectModel, request: ReadRequest, outputs: PropertyMap): Promise<ReadResponse> {
    const { urn, inputs } = request;
    const { state: before } = await this.#prior(object, request, outputs);
    const found = await this.#client.read(subjectOf(object, request, before.sensitivePaths), before);
    this.#messages.told(this.#client.name, urn, object.shape, { ...found, notes: [] });
    if (found.state === undefined) return gone;
    const { value } = found.state;
    return {
      id: objectId(value) ?? request.id,
      inputs: inputs === undefined ? undefined : inputsAfterRead(object.shape, inputs, before.value, value),
      outputs: objectOutputs(this.#client, object, found.state),
      refreshBeforeUpdate: false,
    };
  }

  async #importObject(object: ObjectModel, request: ReadRequest): Promise<ReadResponse> {
    const { urn, id } = request;
    try {
      const { state, ...told } = await this.#client.importObject(subjectOf(object, request, []), id);
      this.#messages.told(this.#client.name, urn, object.shape, told);
      return {
        id: objectId(state.value) ?? id,
        inputs: inputsOfObject(object.shape, state.value),
        outputs: objectOutputs(this.#client, object, state),
        refreshBeforeUpdate: false,
      };
    } catch (error) {
      if (isAbsent(error)) return gone;
      throw error;
    }
  }

  #object(token: string): ObjectModel {
    const found = this.#model.find(token);
    if (found?.kind === 'resource') return found.object;
    const { name, leftOut } = this.#model;
    const other = leftOut.find((each) => each.token === token);
    const close = nearest(
      token,
      [...this.#model.resources.values()].map((each) => each.token),
    );
    const why =
      other === undefined
        ? close === undefined
          ? ''
          : `; did you mean ${close}?`
        : `: ${other.type} is ${WITH_ARTICLE[other.kind]} of the Terraform provider, which packages do not offer`;
    throw new ProviderError('INVALID_ARGUMENT', `the package ${name} has no resource type ${token}${why}`);
  }

  /** Returns the object before the change, in the form of the current schema. */
  async #prior(
    object: ObjectModel,
    request: ResourceIdentity,
    outputs: PropertyMap,
  ): Promise<{ readonly state: TerraformObjectState; readonly text: string }> {
    const { stored, text } = storedIn(outputs, request.urn);
    const known = this.#plans.stateOf(request.urn, text);
    return { state: known ?? (await this.#upgraded(object, request, stored, text)).state, text };
  }

  /** Converts a stored object to the current schema. One of another type is moved to this one [TFB-12]. */
  async #upgraded(
    object: ObjectModel,
    request: ResourceIdentity,
    stored: StoredObject,
    text: string,
  ): Promise<Upgraded> {
    const subject = subjectOf(object, request, []);
    const { type = object.type } = stored;
    if (impliedProvider(type) !== impliedProvider(object.type)) throw ofAnotherProvider(request.urn, type);
    const { state, ...told } = isOfAnotherType(object, stored)
      ? await this.#client.move(subject, { provider: this.#address, type, stored })
      : await this.#kept.upgrade(subject, stored, text);
    this.#messages.told(this.#client.name, request.urn, object.shape, told);
    return { state, ...told };
  }

  async #plan(
    object: ObjectModel,
    request: ResourceIdentity,
    given: TerraformInput,
    prior: TerraformObjectState,
    ignoreChanges: readonly string[],
    timeoutSeconds = 0,
  ): Promise<Planned & { readonly secrets: readonly TfPath[] }> {
    const { block } = object.shape;
    const kept = keepTimeouts(block, given.value, prior.value);
    const config = withTimeout(block, kept, 'update', timeoutSeconds);
    const ignored = ignoredPaths(object, ignoreChanges);
    const subject = subjectOf(object, request, given.secrets);
    const planned = await this.#client.plan(subject, { prior, config, ignored });
    this.#messages.told(this.#client.name, request.urn, object.shape, planned);
    return { ...planned, secrets: given.secrets };
  }

  async #applied(
    object: ObjectModel,
    urn: CreateRequest['urn'],
    work: () => Promise<ApplyResult>,
  ): Promise<ApplyResult> {
    const applied = await changing(work);
    this.#messages.told(this.#client.name, urn, object.shape, applied);
    return applied;
  }

  /** Returns the error of a failed change [TFB-7]. An existing object is kept. */
  #failedChange(
    object: ObjectModel,
    { state, answered }: ApplyResult,
    failure: TerraformFailure,
    kind: 'create' | 'update' | 'delete',
  ): ProviderError {
    if (answered && state !== undefined) {
      const { diagnostics } = failure;
      const said = diagnostics.filter(({ severity }) => severity === 'error');
      const reasons = [
        ...said.map((each) => shownText(object.shape, each)),
        ...failure.violations().map(({ code, summary }) => `${code}: ${summary}`),
      ];
      const outputs = objectOutputs(this.#client, object, state);
      const id = objectId(state.value) ?? '';
      return new InitFailedError(id, outputs, undefined, reasons, false, partly(kind, state));
    }
    const refused = failure.diagnostics.some(({ severity }) => severity === 'error');
    // By the contract an error without an object means that none was made.
    const isClear = refused && failure.findings.length === 0;
    const code =
      kind === 'delete' || (isClear && kind === 'update') ? 'UNKNOWN' : isClear ? 'ABORTED' : 'INTERNAL';
    return failureError(failure, object.shape, code);
  }
}

const isOfAnotherType = ({ type }: ObjectModel, stored: StoredObject): boolean =>
  stored.type !== undefined && stored.type !== type;

/** Returns the provider of a type: its first word. */
const impliedProvider = (type: string): string => type.split('_', 1)[0] as string;

function ofAnotherProvider(urn: string, type: string): ProviderError {
  return new ProviderError(
    'FAILED_PRECONDITION',
    `${urn} is stored as ${type}, an object of another provider, and cannot be moved to this one. Leave the alias out to create a new one`,
  );
}

const gone: ReadResponse = { id: '', inputs: undefined, outputs: undefined, refreshBeforeUpdate: false };

function subjectOf(
  { type }: ObjectModel,
  { urn }: ResourceIdentity,
  masks: readonly TfPath[] | undefined,
): Subject {
  return { type, address: urn, masks: masks ?? [] };
}

function partly(kind: 'create' | 'update' | 'delete', { tainted }: TerraformObjectState): string {
  if (kind === 'delete') return 'it is still there';
  if (kind === 'update') return 'it was changed, but not as planned';
  return tainted
    ? 'it was created, but not as planned; the next change replaces it'
    : 'it was created, but not as planned';
}

function isAbsent(error: unknown): boolean {
  return error instanceof TerraformFailure && error.findings.some(({ code }) => code === 'IMPORT_ABSENT');
}

function refuseReplacement(urn: string, { action, replacePaths }: Planned): void {
  if (action !== 'replace') return;
  const paths = replacePaths.map((path) => path.map(String).join('.')).join(', ');
  throw new ProviderError(
    'FAILED_PRECONDITION',
    `${urn} cannot be changed in place: the provider requires a replacement${paths === '' ? '' : ` because of ${paths}`}`,
  );
}

const WITH_ARTICLE = {
  'list resource': 'a list resource',
  action: 'an action',
  'state store': 'a state store',
};
