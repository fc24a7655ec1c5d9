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
  InvokeRequest,
  InvokeResponse,
  ReadRequest,
  ReadResponse,
  UpdateRequest,
  UpdateResponse,
} from '@cairn/wire';
import { RefusingProvider } from '../refusing-provider.js';
import type { BuiltinResource, BuiltinWorld } from './builtin-resource.js';
import { INVOKES } from './invokes.js';
import { stackReference } from './stack-reference.js';
import { stash } from './stash.js';

const RESOURCES: Readonly<Record<string, BuiltinResource>> = {
  'pulumi:pulumi:StackReference': stackReference,
  'pulumi:index:Stash': stash,
};

const CAPABILITIES: Capabilities = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: false,
  supportsPreview: true,
  supportsAutonaming: false,
  acceptByteStrings: true,
};

/** The package `pulumi`: resources and functions that the engine serves itself [PROV-8]. */
export class BuiltinProvider extends RefusingProvider {
  protected readonly title = 'the builtin package pulumi';

  constructor(private readonly world: BuiltinWorld) {
    super();
  }

  override async checkConfig({ news }: CheckConfigRequest): Promise<CheckResponse> {
    return { inputs: news, failures: [] };
  }

  override diffConfig(_request: DiffConfigRequest): Promise<DiffResponse> {
    return this.refuse('diffConfig');
  }

  override async configure(_request: ConfigureRequest): Promise<Capabilities> {
    return CAPABILITIES;
  }

  override async check(request: CheckRequest): Promise<CheckResponse> {
    return this.resource(request.type).check(request, this.world);
  }

  override async diff(request: DiffRequest): Promise<DiffResponse> {
    return this.resource(request.type).diff(request);
  }

  override async create(request: CreateRequest): Promise<CreateResponse> {
    return this.resource(request.type).create(request, this.world);
  }

  override async read(request: ReadRequest): Promise<ReadResponse> {
    return this.resource(request.type).read(request, this.world);
  }

  override async update(request: UpdateRequest): Promise<UpdateResponse> {
    return this.resource(request.type).update(request);
  }

  override async delete(_request: DeleteRequest): Promise<void> {}

  override async invoke({ token, args }: InvokeRequest): Promise<InvokeResponse> {
    const answer = Object.hasOwn(INVOKES, token) ? INVOKES[token] : undefined;
    if (answer === undefined) throw new ProviderError('NOT_FOUND', `${this.title} has no function ${token}`);
    return { result: await answer(args, this.world), failures: [] };
  }

  private resource(type: string): BuiltinResource {
    const resource = Object.hasOwn(RESOURCES, type) ? RESOURCES[type] : undefined;
    if (resource === undefined)
      throw new ProviderError('NOT_FOUND', `${this.title} has no resource type ${type}`);
    return resource;
  }
}
