import type { Urn } from '@cairn/addresses';
import { ProviderError } from '@cairn/wire';
import type {
  CallRequest,
  CallResponse,
  Capabilities,
  CheckConfigRequest,
  CheckRequest,
  CheckResponse,
  ConfigureRequest,
  ConstructRequest,
  ConstructResponse,
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

/** A provider inside the engine: everything its subclass does not do is refused, with UNIMPLEMENTED. */
export abstract class RefusingProvider implements Provider {
  /** What the errors call it, e.g. `the builtin package pulumi`. */
  protected abstract readonly title: string;

  async handshake(_request: HandshakeRequest): Promise<Capabilities | undefined> {
    return undefined;
  }

  parameterize(_request: ParameterizeRequest): Promise<ParameterizeResponse> {
    return this.refuse('parameterize');
  }

  async getPluginInfo(): Promise<PluginInfo> {
    return { version: '' };
  }

  getSchema(_request: GetSchemaRequest): Promise<string> {
    return this.refuse('getSchema');
  }

  checkConfig(_request: CheckConfigRequest): Promise<CheckResponse> {
    return this.refuse('checkConfig');
  }

  diffConfig(_request: DiffConfigRequest): Promise<DiffResponse> {
    return this.refuse('diffConfig');
  }

  configure(_request: ConfigureRequest): Promise<Capabilities> {
    return this.refuse('configure');
  }

  check(request: CheckRequest): Promise<CheckResponse> {
    return this.refuse('check', request.urn);
  }

  diff(request: DiffRequest): Promise<DiffResponse> {
    return this.refuse('diff', request.urn);
  }

  create(request: CreateRequest): Promise<CreateResponse> {
    return this.refuse('create', request.urn);
  }

  read(request: ReadRequest): Promise<ReadResponse> {
    return this.refuse('read', request.urn);
  }

  update(request: UpdateRequest): Promise<UpdateResponse> {
    return this.refuse('update', request.urn);
  }

  delete(request: DeleteRequest): Promise<void> {
    return this.refuse('delete', request.urn);
  }

  invoke(request: InvokeRequest): Promise<InvokeResponse> {
    return this.refuse(`invoke ${request.token}`);
  }

  construct(request: ConstructRequest): Promise<ConstructResponse> {
    return this.refuse(`construct ${request.type}`);
  }

  call(request: CallRequest): Promise<CallResponse> {
    return this.refuse(`call ${request.token}`);
  }

  async cancel(): Promise<void> {}

  async close(): Promise<void> {}

  protected async refuse(what: string, urn?: Urn): Promise<never> {
    const object = urn === undefined ? '' : ` ${urn}`;
    throw new ProviderError('UNIMPLEMENTED', `${this.title} cannot ${what}${object}`);
  }
}
