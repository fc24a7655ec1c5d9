import { randomBytes } from 'node:crypto';
import { makeUrn } from '@cairn/addresses';
import { UNKNOWN, emptyMap, newMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { isInitFailed } from '@cairn/wire';
import type { InitFailedError, Provider, ResourceIdentity } from '@cairn/wire';
import { atPath, equalValues, isWhollyKnown, UNKNOWN_VALUE } from '@cairn/tfplugin';
import type { TfPath, TfRecord, TfValue } from '@cairn/tfplugin';
import type { StateMigration } from '@cairn/provider-sdk/protocols';
import { checkShape } from '@cairn/provider-sdk/protocols';
import { failureDiagnostic, failureDiagnostics, reportedOnly } from './diagnostics.js';
import type { TerraformDiagnostic } from './diagnostics.js';
import { decodeKept, encodeKept } from './private-bytes.js';
import { ObjectStates } from './object-state.js';
import type { StoredProperties } from './object-state.js';
import { replacingInputs } from './replacing.js';
import type { ServedShapes } from './resource-schema.js';
import { settingsUnknown } from './settings.js';
import type { SettingsStatus } from './settings.js';
import { unchangedObject } from './settle.js';
import { upgradedState } from './upgrade.js';
import { fromTfObject } from './values.js';

/** Request of a plan. A null `config` means that the object must be deleted. */
export interface PlanRequest {
  readonly prior: TfRecord | null;
  readonly config: TfRecord | null;
  readonly priorPrivate: Uint8Array;
}

/** A plan, or the reason why there is none. */
export interface PlanResponse {
  readonly planned: TfRecord | null;
  readonly requiresReplace: readonly TfPath[];
  readonly plannedPrivate: Uint8Array;
  readonly diagnostics: readonly TerraformDiagnostic[];
}

/** Request of an apply. */
export interface ApplyRequest {
  readonly prior: TfRecord | null;
  readonly planned: TfRecord | null;
  readonly config: TfRecord | null;
  readonly plannedPrivate: Uint8Array;
}

/** The state of an object after a call. */
export interface StateResponse {
  readonly state: TfRecord | null;
  readonly private: Uint8Array;
  readonly diagnostics: readonly TerraformDiagnostic[];
}

const NONE = new Uint8Array();

/** Result of a call, or its preview. */
interface Made {
  readonly id: string;
  readonly outputs: PropertyMap;
}

/**
 * One of Cairn's resource types in the calls of Terraform's lifecycle. It makes the same calls to the provider as
 * Cairn's engine.
 */
// [TFS-3]
export class ManagedResource {
  readonly #states: ObjectStates;
  readonly #identity: ResourceIdentity;
  readonly #provider: Provider;
  readonly #migrations: readonly StateMigration[];
  readonly #settings: SettingsStatus;

  /**
   * `token` is the whole type token. `name` is the prefix of generated object names, because Terraform passes no
   * resource name.
   */
  constructor(
    provider: Provider,
    readonly served: ServedShapes,
    token: string,
    name: string,
    migrations: readonly StateMigration[],
    settings: SettingsStatus,
  ) {
    this.#provider = provider;
    this.#migrations = migrations;
    this.#settings = settings;
    this.#states = new ObjectStates(served);
    const urn = makeUrn({ stack: 'terraform', project: 'terraform', type: token, name });
    this.#identity = { urn, name, type: token };
  }

  async validate(config: TfRecord): Promise<readonly TerraformDiagnostic[]> {
    const { fields } = this.served;
    const set = [...fields.values()].filter(
      ({ name, flags }) => !flags.required && !flags.optional && (config[name] ?? null) !== null,
    );
    const refused = set.map(({ name }) => reportedOnly(name));
    if ((config['id'] ?? null) !== null) refused.push(reportedOnly('id'));
    const { failures } =
      this.#settings.state === 'known'
        ? await this.#provider.check(this.#checkRequest(config, undefined))
        : checkShape(this.served.inputs, this.#states.given(config));
    return [...refused, ...failureDiagnostics(fields, failures)];
  }

  async plan({ prior, config, priorPrivate }: PlanRequest): Promise<PlanResponse> {
    const answer = (planned: TfRecord | null, requiresReplace: readonly TfPath[] = []): PlanResponse => ({
      planned,
      requiresReplace,
      plannedPrivate: priorPrivate,
      diagnostics: [],
    });
    if (config === null) return answer(null);
    try {
      const old = prior === null ? undefined : this.#states.read(prior, priorPrivate, config);
      const { inputs, failures } = await this.#provider.check(this.#checkRequest(config, old));
      if (failures.length > 0) {
        return { ...answer(prior), diagnostics: failureDiagnostics(this.served.fields, failures) };
      }
      const news = old === undefined ? this.#withoutNewNames(inputs, config) : inputs;
      if (prior === null || old === undefined) return answer(await this.#plannedCreate(config, news));
      const diff = await this.#provider.diff({
        ...this.#identity,
        id: old.id,
        oldInputs: old.inputs,
        oldOutputs: old.outputs,
        news,
        allowUnknowns: true,
        ignoreChanges: [],
      });
      if (diff.changes === 'none') return answer(this.#plannedAsItIs(prior, config));
      const replacing = replacingInputs(this.served.inputs, news, diff);
      if (replacing.length === 0) return answer(await this.#plannedUpdate(config, news, old));
      const planned = await this.#plannedCreate(config, news);
      return answer(planned, this.#replacePaths(prior, planned, replacing));
    } catch (error) {
      return { ...answer(prior), diagnostics: [failureDiagnostic(`plan ${this.#identity.type}`, error)] };
    }
  }

  /** Plans no change, except that values removed by the program become null if the diff ignores their removal. */
  #plannedAsItIs(prior: TfRecord, config: TfRecord): TfRecord {
    return this.#states.withId(unchangedObject(this.served.fields, prior, config), prior['id'] ?? null);
  }

  async #plannedCreate(config: TfRecord, inputs: PropertyMap): Promise<TfRecord> {
    const { outputs } = await this.#create(inputs, true);
    return this.#states.make(UNKNOWN_VALUE, { config, inputs, outputs }, UNKNOWN_VALUE);
  }

  async #plannedUpdate(config: TfRecord, news: PropertyMap, old: StoredProperties): Promise<TfRecord> {
    const { outputs } = await this.#update(old, news, true);
    return this.#states.make(old.id, { config, inputs: news, outputs }, UNKNOWN_VALUE);
  }

  /** Returns the paths that differ. If there are none, the id represents a difference that the state does not show. */
  #replacePaths(prior: TfRecord, planned: TfRecord, properties: readonly string[]): readonly TfPath[] {
    const differing = [...this.served.fields.values()].filter(
      ({ name, property, type }) =>
        properties.includes(property) &&
        !equalValues(type, atPath(prior, [name]) ?? null, atPath(planned, [name]) ?? null),
    );
    return differing.length === 0 ? [['id']] : differing.map(({ name }) => [name]);
  }

  async apply(request: ApplyRequest): Promise<StateResponse> {
    const { prior, planned, config, plannedPrivate } = request;
    if (planned === null || config === null) return this.#delete(prior, plannedPrivate);
    const doing = `${prior === null ? 'create' : 'update'} ${this.#identity.type}`;
    const failed = (diagnostics: readonly TerraformDiagnostic[]): StateResponse => ({
      state: prior,
      private: prior === null ? NONE : plannedPrivate,
      diagnostics,
    });
    const old = prior === null ? undefined : this.#states.read(prior, plannedPrivate, config);
    let inputs = emptyMap;
    try {
      const checked = await this.#provider.check(this.#checkRequest(config, old));
      if (checked.failures.length > 0) {
        return failed(failureDiagnostics(this.served.fields, checked.failures));
      }
      ({ inputs } = checked);
      const made =
        old === undefined ? await this.#create(inputs, false) : await this.#update(old, inputs, false);
      return this.#applied(made, config, inputs, []);
    } catch (error) {
      if (!isInitFailed(error)) return failed([failureDiagnostic(doing, error, true)]);
      const { id, outputs } = error as InitFailedError;
      return this.#applied({ id: old?.id ?? id, outputs }, config, inputs, [failureDiagnostic(doing, error)]);
    }
  }

  async #create(inputs: PropertyMap, preview: boolean): Promise<Made> {
    return this.#provider.create({ ...this.#identity, inputs, timeoutSeconds: 0, preview });
  }

  async #update(old: StoredProperties, news: PropertyMap, preview: boolean): Promise<Made> {
    const { outputs } = await this.#provider.update({
      ...this.#identity,
      id: old.id,
      oldInputs: old.inputs,
      oldOutputs: old.outputs,
      news,
      timeoutSeconds: 0,
      ignoreChanges: [],
      preview,
    });
    return { id: old.id, outputs };
  }

  #applied(
    { id, outputs }: Made,
    config: TfRecord,
    inputs: PropertyMap,
    diagnostics: readonly TerraformDiagnostic[],
  ): StateResponse {
    const state = this.#states.make(id, { config, inputs, outputs }, null);
    return { state, private: encodeKept(this.#states.kept(inputs, outputs)), diagnostics };
  }

  async #delete(prior: TfRecord | null, bytes: Uint8Array): Promise<StateResponse> {
    if (prior === null) return { state: null, private: NONE, diagnostics: [] };
    try {
      const { id, inputs, outputs } = this.#states.read(prior, bytes);
      await this.#provider.delete({
        ...this.#identity,
        id,
        oldInputs: inputs,
        oldOutputs: outputs,
        timeoutSeconds: 0,
      });
      return { state: null, private: NONE, diagnostics: [] };
    } catch (error) {
      const diagnostics = [failureDiagnostic(`delete ${this.#identity.type}`, error, true)];
      return { state: prior, private: bytes, diagnostics };
    }
  }

  /**
   * Returns the object as it is, or null if it no longer exists. An imported one is read by its id alone. While the
   * settings are unknown, the object is returned unchanged.
   */
  async read(state: TfRecord, bytes: Uint8Array): Promise<StateResponse> {
    const { imported } = decodeKept(bytes);
    if (this.#settings.state === 'unknown' && !imported) return { state, private: bytes, diagnostics: [] };
    const old = this.#states.read(state, bytes);
    try {
      if (this.#settings.state === 'unknown') throw settingsUnknown();
      const found = await this.#provider.read({
        ...this.#identity,
        id: old.id,
        inputs: imported ? undefined : old.inputs,
        state: imported ? undefined : old.outputs,
        timeoutSeconds: 0,
      });
      if (found.id === '' || found.outputs === undefined)
        return { state: null, private: NONE, diagnostics: [] };
      const { inputs = emptyMap, outputs } = found;
      const made = this.#states.found(found.id, inputs, outputs, imported ? undefined : state);
      const kept = this.#states.kept(inputs, outputs, imported);
      return { state: made, private: encodeKept(kept), diagnostics: [] };
    } catch (error) {
      const diagnostics = [failureDiagnostic(`read ${this.#identity.type}`, error)];
      return { state, private: bytes, diagnostics };
    }
  }

  /** Converts a stored state to the newest version of the type. Returns null if that is impossible. */
  upgrade(
    version: number,
    json: string,
  ): { state: TfRecord | null; diagnostics: readonly TerraformDiagnostic[] } {
    const { served } = this;
    const states = this.#states;
    const migrations = this.#migrations;
    try {
      return { state: upgradedState({ served, states, migrations }, version, json), diagnostics: [] };
    } catch (error) {
      return {
        state: null,
        diagnostics: [failureDiagnostic(`read the state of ${this.#identity.type}`, error)],
      };
    }
  }

  /** Returns the state of an object before its first read. */
  import(id: string): StateResponse {
    const state = this.#states.withIdAlone(id);
    const kept = { ...this.#states.kept(emptyMap, emptyMap), imported: true };
    return { state, private: encodeKept(kept), diagnostics: [] };
  }

  #checkRequest(config: TfRecord, old: StoredProperties | undefined) {
    const news = this.#states.given(config);
    const olds = old && this.#nameKeeping(news, old.inputs);
    return {
      ...this.#identity,
      olds,
      news,
      randomSeed: randomBytes(32),
      allowUnknowns: !isWhollyKnown(config as TfValue),
    };
  }

  /**
   * Returns old inputs for a check in which generated names remain. All other inputs have their new values, since a
   * forbidden change is no failure here: it requires another object.
   */
  #nameKeeping(news: PropertyMap, old: PropertyMap): PropertyMap {
    const olds: Record<string, PropertyValue> = { ...checkShape(this.served.inputs, news).inputs };
    for (const [name, { naming }] of Object.entries(this.served.inputs)) {
      if (naming !== undefined && olds[name] === undefined && old[name] !== undefined) olds[name] = old[name];
    }
    return olds;
  }

  /** Removes generated names from a plan, because applying generates different ones. */
  #withoutNewNames(inputs: PropertyMap, config: TfRecord): PropertyMap {
    const given = fromTfObject(this.served.fields, config);
    const planned = newMap();
    for (const [name, value] of Object.entries(inputs)) {
      const isMade = this.served.inputs[name]?.naming !== undefined && given[name] === undefined;
      planned[name] = isMade ? UNKNOWN : value;
    }
    return planned;
  }
}
