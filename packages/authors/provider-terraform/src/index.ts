/** Serves a provider of Cairn in the terms of Terraform's provider protocol. */
import { makeUrn, providerType } from '@cairn/addresses';
import { deferUnknownSettings } from '@cairn/wire';
import type { DeferringProvider, LogRequest } from '@cairn/wire';
import type { ObjectType, Schema, TfRecord } from '@cairn/tfplugin';
import type { ProviderDefinition } from '@cairn/provider-sdk/protocols';
import { toPluginProvider } from '@cairn/provider-sdk/protocols';
import { DataSource } from './data-source.js';
import { failureDiagnostic, failureDiagnostics } from './diagnostics.js';
import type { TerraformDiagnostic } from './diagnostics.js';
import type { Protocol } from './fields.js';
import { ManagedResource } from './managed-resource.js';
import { terraformFunctionName, snakeCase, terraformTypeName } from './names.js';
import { ProviderFunction } from './provider-function.js';
import { servedConfig, servedFunction, servedResource } from './resource-schema.js';
import type { ServedShapes } from './resource-schema.js';
import type { SettingsStatus } from './settings.js';
import { fromTfObject } from './values.js';

export type { DataResponse, DataSource } from './data-source.js';
export type { ProviderFunction } from './provider-function.js';
export type { TerraformDiagnostic } from './diagnostics.js';
export type { Protocol } from './fields.js';
export type {
  ApplyRequest,
  ManagedResource,
  PlanRequest,
  PlanResponse,
  StateResponse,
} from './managed-resource.js';

/** Options for serving a definition. */
export interface TerraformOptions {
  /** Protocol of the schemas: nested objects are attributes in 6 and blocks in 5. Defaults to 6. */
  readonly protocol?: Protocol | undefined;
  /** Base of relative paths. Defaults to the working directory. */
  readonly programDirectory?: string | undefined;
  /** Receives messages of handlers to the user. Must not throw. */
  readonly onMessage?: ((message: LogRequest) => void) | undefined;
}

/** A definition's resource types and functions, by their names in Terraform. */
export class TerraformProvider {
  /** Resource types by name, such as `boxes_big_box`. */
  readonly resources: ReadonlyMap<string, ManagedResource>;
  /** Data sources by name: functions of the package. */
  readonly dataSources: ReadonlyMap<string, DataSource>;
  /** Functions that need no configuration, by their names in expressions. */
  readonly functions: ReadonlyMap<string, ProviderFunction>;
  readonly protocol: Protocol;
  /** Name of the package. */
  readonly name: string;
  readonly #provider: DeferringProvider;
  readonly #config: ServedShapes;
  readonly #settings: SettingsStatus = { state: 'absent' };

  constructor(definition: ProviderDefinition, options: TerraformOptions = {}) {
    const { protocol = 6, programDirectory = process.cwd(), onMessage } = options;
    const { name, resources, functions = {} } = definition;
    const base = toPluginProvider(definition, programDirectory, onMessage);
    const provider = deferUnknownSettings(base);
    const settings = this.#settings;
    this.#provider = provider;
    this.protocol = protocol;
    this.name = name;
    this.#config = servedConfig(definition, protocol);
    this.resources = byTypeName(name, resources, (token, resource) => {
      const served = servedResource(resource, protocol);
      const prefix = snakeCase(token.split(':')[1] ?? token);
      const migrations = resource.migrations ?? [];
      return new ManagedResource(provider, served, `${name}:${token}`, prefix, migrations, settings);
    });
    this.dataSources = byTypeName(
      name,
      functions,
      (token, each) => new DataSource(provider, servedFunction(each, protocol), `${name}:${token}`, settings),
    );
    const pure = Object.entries(functions).filter(([, { pure }]) => pure === true);
    this.functions = new Map(
      pure.map(([token, each]) => [
        terraformFunctionName(token),
        new ProviderFunction(base, each, `${name}:${token}`),
      ]),
    );
  }

  /** True if some of its settings are unknown. */
  get awaitsSettings(): boolean {
    return this.#settings.state === 'unknown';
  }

  /** The type of the provider's configuration. */
  get type(): ObjectType {
    return this.#config.type;
  }

  /** The schema of the provider's configuration. */
  get schema(): Schema {
    return this.#config.schema;
  }

  /** Returns the errors in a configuration. */
  async validate(config: TfRecord): Promise<readonly TerraformDiagnostic[]> {
    // An attached provider serves one host after the other, each of which stops it at any time.
    await this.#provider.handshake({ engineAddress: '' });
    const news = fromTfObject(this.#config.fields, config);
    const { failures } = await this.#provider.checkConfig({ ...this.#identity(), olds: undefined, news });
    return failureDiagnostics(this.#config.fields, failures);
  }

  /** Prepares the provider for all calls except validation. */
  async configure(config: TfRecord): Promise<readonly TerraformDiagnostic[]> {
    const news = fromTfObject(this.#config.fields, config);
    try {
      await this.#provider.handshake({ engineAddress: '' });
      const checked = await this.#provider.checkConfig({ ...this.#identity(), olds: undefined, news });
      if (checked.failures.length > 0) return failureDiagnostics(this.#config.fields, checked.failures);
      await this.#provider.configure({ ...this.#identity(), id: this.name, inputs: checked.inputs });
      this.#settings.state = this.#provider.unconfigured ? 'unknown' : 'known';
      return [];
    } catch (error) {
      return [failureDiagnostic(`configure ${this.name}`, error)];
    }
  }

  /** Asks running calls to give up. Later calls are refused. */
  async stop(): Promise<void> {
    await this.#provider.cancel();
  }

  async close(): Promise<void> {
    await this.#provider.close();
  }

  #identity() {
    const type = providerType(this.name);
    const urn = makeUrn({ stack: 'terraform', project: 'terraform', type, name: this.name });
    return { urn, name: this.name, type };
  }
}

/** Maps types by their names in Terraform. Throws RangeError if two tokens have the same name. */
function byTypeName<T, R>(
  packageName: string,
  definitions: Readonly<Record<string, T>>,
  make: (token: string, definition: T) => R,
): ReadonlyMap<string, R> {
  const found = new Map<string, R>();
  for (const [token, definition] of Object.entries(definitions)) {
    const type = terraformTypeName(packageName, token);
    if (found.has(type)) throw new RangeError(`${packageName}:${token} has a name that is taken: ${type}`);
    found.set(type, make(token, definition));
  }
  return found;
}
