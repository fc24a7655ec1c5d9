import process from 'node:process';
import { emptyMap, equal, getProperty, isEmptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type {
  Capabilities,
  CheckConfigRequest,
  CheckRequest,
  CheckResponse,
  ConfigureRequest,
  CreateRequest,
  CreateResponse,
  DeleteRequest,
  DiffConfigRequest,
  DiffRequest,
  DiffResponse,
  GetSchemaRequest,
  HandshakeRequest,
  InvokeRequest,
  InvokeResponse,
  ParameterizeRequest,
  ParameterizeResponse,
  PluginInfo,
  Provider,
  ReadRequest,
  ReadResponse,
  UpdateRequest,
  UpdateResponse,
} from '@cairn/wire';
import { configurationOf, EdgeError, markSecretInputs, toTerraform } from '../values/index.js';
import { bridgedPackageSchema } from '../model/index.js';
import { connectProvider, packageVersion, resolveWish } from './connected-provider.js';
import type { ConnectedProvider, ProviderEnvironment } from './connected-provider.js';
import { asking, edgeFailures, failuresOf } from './errors.js';
import { ManagedObjects } from './managed-objects.js';
import { Messages } from './messages.js';
import type { RunningProvider } from '../process/start.js';
import { parameterBytes, readArguments, readParameter } from './package-parameter.js';
import type { PackageParameter } from './package-parameter.js';
import { Questions } from './questions.js';

/** Name of the base plugin of Terraform providers' packages. */
export const BASE_PLUGIN = 'terraform-provider';
/** Version of that plugin. */
export const BASE_VERSION = '0.1.0';

const CAPABILITIES: Capabilities = {
  acceptSecrets: true,
  acceptResources: false,
  acceptOutputs: false,
  supportsPreview: true,
  supportsAutonaming: false,
  settingsOnly: true,
};

/** A running provider, with its objects and its questions. */
interface Connected extends ConnectedProvider {
  readonly objects: ManagedObjects;
  readonly questions: Questions;
}

/**
 * Serves a Terraform provider as a `Provider` [TFB-1] to [TFB-11]. Parameters select it. Its process is started on
 * first use and ends with `close`.
 */
export function createBridge(surroundings: Partial<ProviderEnvironment> = {}): Provider {
  return new TerraformBridge(surroundings);
}

class TerraformBridge implements Provider {
  readonly #messages = new Messages();
  readonly #given: Partial<ProviderEnvironment>;
  #cwd: string;
  #project: string;
  #parameter: PackageParameter | undefined;
  #keptAnswers: HandshakeRequest['keptAnswers'];
  #connecting: Promise<Connected> | undefined;
  #cancelled = false;
  #running: RunningProvider | undefined;

  constructor(surroundings: Partial<ProviderEnvironment>) {
    this.#given = surroundings;
    this.#cwd = surroundings.cwd ?? process.cwd();
    this.#project = this.#cwd;
  }

  async handshake(request: HandshakeRequest): Promise<Capabilities> {
    const { engineAddress, rootDirectory = '', programDirectory = '', keptAnswers } = request;
    this.#keptAnswers = keptAnswers;
    this.#messages.connect(engineAddress);
    if (programDirectory !== '') this.#cwd = programDirectory;
    this.#project = rootDirectory === '' ? this.#cwd : rootDirectory;
    return CAPABILITIES;
  }

  async attach(address: string): Promise<void> {
    this.#messages.connect(address);
  }

  async getPluginInfo(): Promise<PluginInfo> {
    return { version: BASE_VERSION };
  }

  async parameterize({ parameters }: ParameterizeRequest): Promise<ParameterizeResponse> {
    if (parameters.kind === 'args') {
      const wish = await readArguments(parameters.args, this.#project);
      this.#parameter = await resolveWish(wish, this.#surroundings);
    } else {
      this.#parameter = readParameter(parameters.value, parameters.name);
    }
    await this.#disconnect();
    return { name: this.#parameter.name, version: packageVersion(this.#parameter) };
  }

  async getSchema({ version }: GetSchemaRequest): Promise<string> {
    if (version !== 0)
      throw new ProviderError('INVALID_ARGUMENT', `there is no schema of version ${version}`);
    const parameter = this.#parameter;
    if (parameter === undefined) return JSON.stringify({ name: BASE_PLUGIN, version: BASE_VERSION });
    const { model, client } = await this.#connected();
    return bridgedPackageSchema(model, {
      base: { name: BASE_PLUGIN, version: BASE_VERSION },
      parameter: parameterBytes(parameter),
      source: parameter.path ?? client.name,
    });
  }

  async checkConfig(request: CheckConfigRequest): Promise<CheckResponse> {
    const { client, model } = await this.#connected();
    const { shape } = model.config;
    const inputs = markSecretInputs(shape, request.news);
    return asking(async () => {
      try {
        const { value } = toTerraform(shape, ownConfiguration(model.config.shape, request.news));
        const said = await client.validateProvider(value);
        this.#messages.warn(request.urn, shape, said);
        return { inputs, failures: failuresOf(shape, said) };
      } catch (error) {
        if (!(error instanceof EdgeError)) throw error;
        return { inputs, failures: edgeFailures(error.failures) };
      }
    }, shape);
  }

  /** Returns the diff of the configuration, which never replaces managed objects. */
  async diffConfig({ oldInputs, news, ignoreChanges }: DiffConfigRequest): Promise<DiffResponse> {
    const keys = new Set([...Object.keys(oldInputs), ...Object.keys(news)]);
    const changed = [...keys].filter((key) => {
      const [one = null, other = null] = [getProperty(oldInputs, key), getProperty(news, key)];
      return !ignoreChanges.includes(key) && !equal(one, other);
    });
    return {
      changes: changed.length === 0 ? 'none' : 'some',
      replaceKeys: [],
      changedKeys: changed,
      stableKeys: [],
      detailedDiff: undefined,
      deleteBeforeReplace: false,
    };
  }

  async configure({ inputs, urn }: ConfigureRequest): Promise<Capabilities> {
    const { client, model, objects } = await this.#connected();
    const { shape } = model.config;
    return asking(async () => {
      const { value } = toTerraform(shape, ownConfiguration(shape, inputs));
      objects.configured();
      this.#messages.warn(urn, shape, await client.configure(value));
      return CAPABILITIES;
    }, shape);
  }

  async check(request: CheckRequest): Promise<CheckResponse> {
    return (await this.#connected()).objects.check(request);
  }

  async diff(request: DiffRequest): Promise<DiffResponse> {
    return (await this.#connected()).objects.diff(request);
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    return (await this.#ready()).objects.create(request);
  }

  async read(request: ReadRequest): Promise<ReadResponse> {
    return (await this.#connected()).objects.read(request);
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    return (await this.#ready()).objects.update(request);
  }

  async delete(request: DeleteRequest): Promise<void> {
    return (await this.#ready()).objects.delete(request);
  }

  async invoke(request: InvokeRequest): Promise<InvokeResponse> {
    return (await this.#connected()).questions.invoke(request);
  }

  async construct(): Promise<never> {
    throw new ProviderError('UNIMPLEMENTED', 'Terraform providers have no components');
  }

  async call(): Promise<never> {
    throw new ProviderError('UNIMPLEMENTED', 'resources of Terraform providers have no methods');
  }

  async endPass(): Promise<void> {
    const connected = await this.#connecting?.catch(() => undefined);
    connected?.objects.endPass();
    await this.#messages.endPass();
  }

  ended(): boolean {
    return this.#running?.ended() !== undefined;
  }

  /** Asks the provider once to stop. Later calls that would change something are refused. */
  async cancel(): Promise<void> {
    this.#cancelled = true;
    const connected = await this.#connecting?.catch(() => undefined);
    await connected?.running.cancel();
  }

  async close(): Promise<void> {
    await this.#disconnect();
    await this.#messages.close();
  }

  async #disconnect(): Promise<void> {
    const connected = await this.#connecting?.catch(() => undefined);
    this.#connecting = undefined;
    await connected?.questions.close();
    await connected?.running.stop();
  }

  async #ready(): Promise<Connected> {
    if (this.#cancelled) throw new ProviderError('ABORTED', 'not begun: the provider was asked to end');
    return this.#connected();
  }

  #connected(): Promise<Connected> {
    const parameter = this.#parameter;
    if (parameter === undefined) {
      const why = `${BASE_PLUGIN} is not a package on its own: it needs the Terraform provider as a parameter`;
      return Promise.reject(new ProviderError('FAILED_PRECONDITION', why));
    }
    return (this.#connecting ??= this.#connect(parameter));
  }

  async #connect(parameter: PackageParameter): Promise<Connected> {
    const provider = await connectProvider(parameter, this.#surroundings, this.#messages);
    this.#running = provider.running;
    const { client, model } = provider;
    const address = parameter.source ?? client.name;
    const keptAnswers = await this.#keptAnswers?.();
    const around = { messages: this.#messages, address, keptAnswers };
    return {
      ...provider,
      objects: new ManagedObjects(provider, around),
      questions: new Questions(client, model, this.#messages),
    };
  }

  get #surroundings(): ProviderEnvironment {
    return { ...this.#given, cwd: this.#cwd, project: this.#project, env: this.#given.env ?? process.env };
  }
}

/** Keys of a provider resource that belong to the engine [PROV-6]. */
const ENGINE_KEYS = new Set(['version', '__internal', 'pluginDownloadURL']);

function ownConfiguration(shape: Parameters<typeof configurationOf>[0], inputs: PropertyMap): PropertyMap {
  const own = Object.fromEntries(Object.entries(inputs).filter(([key]) => !ENGINE_KEYS.has(key)));
  return isEmptyMap(own) ? emptyMap : configurationOf(shape, own);
}
