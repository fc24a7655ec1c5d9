import * as configuration from './configuration.js';
import type { TfValue } from '@cairn/tfplugin';
import type { Caller } from '@cairn/wire/caller';
import { providerCalls, CLIENT_CAPABILITIES } from '../client/calls.js';
import type { TfDiagnostic } from '../client/diagnostics.js';
import { loadSchema } from '../schema-cache/load-schema.js';
import type { SchemaCache } from '../schema-cache/stored-answers.js';
import type { ProviderSchema } from '../client/provider-schema.js';
import { apply, applyDelete, checkSamePlan } from './apply.js';
import type { ApplyResult } from './apply.js';
import type { Connection } from './connection.js';
import { openEphemeral } from './ephemeral.js';
import type { EphemeralResource, RenewalTimer } from './ephemeral.js';
import type { Subject, Told } from './failure.js';
import { callProviderFunction } from './functions.js';
import { importRemoteState, moveState } from './import.js';
import type { MoveSource } from './import.js';
import type { Identity, TerraformObjectState, StoredObject } from './object-state.js';
import { storeObject } from './object-state.js';
import { plan, planDelete } from './plan.js';
import type { Planned, PlannedDelete, PlanChangeRequest } from './plan.js';
import { readCurrentState } from './read.js';
import type { Found } from './read.js';
import { isWithoutEffect, readUnchanged, upgradeState } from './upgrade.js';
import type { Upgraded } from './upgrade.js';
import { afterDataRead, isWhollyKnown, plannedUnknownObject } from '@cairn/tfplugin';
import { readDiagnostics } from '../client/diagnostics.js';
import { objectAnswer, objectMessage, schemaNamed } from './connection.js';
import { Judge } from './failure.js';

/** Options of a client. */
interface ClientOptions {
  /** Name for messages, for example `hashicorp/random`. */
  readonly name: string;
  /** 5 or 6. */
  readonly protocolVersion: number;
  readonly caller: Caller;
  /** Cache of the schema between processes. Without it the schema is requested and not cached. */
  readonly schemaCache?: SchemaCache | undefined;
}

/**
 * A connected provider, in Terraform's terms: all operations on one object, with the contract enforced. Refusals and
 * violations are `TerraformFailure`s; failed calls are `ProviderError`s.
 */
export class TerraformClient {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Connects and requests the schema if that is necessary. */
  static async connect(options: ClientOptions): Promise<TerraformClient> {
    const calls = providerCalls(options.name, options.protocolVersion, options.caller);
    const schema = await loadSchema(calls, options.schemaCache);
    return new TerraformClient({ calls, schema });
  }

  get name(): string {
    return this.#connection.calls.name;
  }

  get schema(): ProviderSchema {
    return this.#connection.schema;
  }

  validateProvider(config: TfValue): Promise<readonly TfDiagnostic[]> {
    return configuration.validateProvider(this.#connection, config);
  }

  configure(config: TfValue): Promise<readonly TfDiagnostic[]> {
    return configuration.configureProvider(this.#connection, config);
  }

  validateResource(type: string, config: TfValue): Promise<readonly TfDiagnostic[]> {
    return configuration.validateResource(this.#connection, type, config);
  }

  validateDataSource(type: string, config: TfValue): Promise<readonly TfDiagnostic[]> {
    return configuration.validateDataSource(this.#connection, type, config);
  }

  validateEphemeral(type: string, config: TfValue): Promise<readonly TfDiagnostic[]> {
    return configuration.validateEphemeral(this.#connection, type, config);
  }

  upgrade(subject: Subject, stored: StoredObject): Promise<Upgraded> {
    return upgradeState(this.#connection, subject, stored);
  }

  /** Returns a stored object without a call. Undefined if it needs an upgrade. */
  readUnchanged(subject: Subject, stored: StoredObject): TerraformObjectState | undefined {
    return readUnchanged(this.#connection, subject, stored);
  }

  /** True if an upgrade had no effect and nothing to say, so that the stored object can be read without a call. */
  isWithoutEffect(subject: Subject, stored: StoredObject, upgraded: Upgraded): boolean {
    return isWithoutEffect(this.#connection, subject, stored, upgraded);
  }

  read(subject: Subject, state: TerraformObjectState): Promise<Found> {
    return readCurrentState(this.#connection, subject, state);
  }

  plan(subject: Subject, request: PlanChangeRequest): Promise<Planned> {
    return plan(this.#connection, subject, request);
  }

  planDelete(subject: Subject, prior: TerraformObjectState): Promise<PlannedDelete> {
    return planDelete(this.#connection, subject, prior);
  }

  /** Fails if the plan of an apply differs from the one made earlier. */
  checkSamePlan(subject: Subject, initial: Planned, final: Planned): void {
    checkSamePlan(this.#connection, subject, initial, final);
  }

  apply(subject: Subject, planned: Planned): Promise<ApplyResult> {
    return apply(this.#connection, subject, planned);
  }

  applyDelete(subject: Subject, planned: PlannedDelete): Promise<ApplyResult> {
    return applyDelete(this.#connection, subject, planned);
  }

  importObject(subject: Subject, wanted: string | Identity): Promise<Upgraded> {
    return importRemoteState(this.#connection, subject, wanted);
  }

  move(subject: Subject, source: MoveSource): Promise<Upgraded> {
    return moveState(this.#connection, subject, source);
  }

  readDataSource(subject: Subject, config: TfValue): Promise<DataRead> {
    return readDataSource(this.#connection, subject, config);
  }

  callFunction(name: string, args: readonly TfValue[]): Promise<TfValue> {
    return callProviderFunction(this.#connection, name, args);
  }

  openEphemeral(subject: Subject, config: TfValue, timer?: RenewalTimer): Promise<EphemeralResource> {
    return openEphemeral(this.#connection, subject, config, timer);
  }

  /** Converts an object for storage. */
  store(type: string, state: TerraformObjectState): StoredObject {
    const { resources, identities } = this.schema;
    const schema = resources.get(type);
    if (schema === undefined) throw new RangeError(`provider ${this.name} has no resource type ${type}`);
    return { type, ...storeObject(schema, identities.get(type), state) };
  }

  /** Asks the provider to stop its work. Returns its answer, which may be empty. */
  async stop(): Promise<string> {
    return (await this.#connection.calls.call('stopProvider', {})).Error;
  }
}

/** Result of a read of a data source. */
interface DataRead extends Told {
  readonly value: TfValue;
  /** True for a placeholder: the configuration is not wholly known, and nothing was read [TFC-3]. */
  readonly placeholder: boolean;
}

/** Reads a data source whose configuration is validated. */
async function readDataSource(connection: Connection, subject: Subject, config: TfValue): Promise<DataRead> {
  const { calls, schema } = connection;
  const { block } = schemaNamed(schema.dataSources, subject.type, 'data source', calls.name);
  if (!isWhollyKnown(config)) {
    return { value: plannedUnknownObject(block, config), placeholder: true, warnings: [], notes: [] };
  }
  const judge = new Judge(calls.name, subject);
  const answer = await calls.call('readDataSource', {
    typeName: subject.type,
    config: objectMessage(block, config),
    providerMeta: undefined,
    clientCapabilities: CLIENT_CAPABILITIES,
  });
  const warnings = judge.said(readDiagnostics(answer.diagnostics));
  if (answer.deferred !== undefined) judge.broken('DEFERRED', [], warnings);
  const value = judge.value(objectAnswer(block, answer.state), 'NONCONFORMING', warnings);
  const outcome = afterDataRead(block, value, subject.masks);
  judge.found(outcome.findings, warnings);
  return { value: outcome.value, placeholder: false, warnings, notes: outcome.notes };
}
