import { randomUUID } from 'node:crypto';
import { equalMaps, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type {
  Capabilities,
  CheckConfigRequest,
  CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  DiffRequest,
  DiffResponse,
  Provider,
  ReadRequest,
  ReadResponse,
  UpdateRequest,
  UpdateResponse,
} from '@cairn/wire';
import { diffAnswer } from '../provider/mock-provider.js';

/** Package of {@link ItemProvider}. */
const ITEM_PACKAGE = 'test';

const CAPABILITIES: Capabilities = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: true,
  supportsPreview: true,
  supportsAutonaming: false,
  acceptByteStrings: true,
};

/**
 * The package `test` with one resource `test:index:Item`. It accepts any inputs; outputs are the inputs and the id.
 * Every operation ends at once and without any object behind it. For end-to-end tests and for measurements of
 * everything but a provider.
 */
export class ItemProvider implements Provider {
  async handshake(): Promise<Capabilities> {
    return CAPABILITIES;
  }

  parameterize(): Promise<never> {
    return refuse('parameterize');
  }

  async getPluginInfo(): Promise<{ readonly version: string }> {
    return { version: '1.0.0' };
  }

  async getSchema(): Promise<string> {
    return JSON.stringify({ name: ITEM_PACKAGE, version: '1.0.0', resources: { 'test:index:Item': {} } });
  }

  async checkConfig({ news }: CheckConfigRequest): Promise<CheckResponse> {
    return { inputs: news, failures: [] };
  }

  diffConfig(): Promise<never> {
    return refuse('diffConfig');
  }

  async configure(): Promise<Capabilities> {
    return CAPABILITIES;
  }

  async check({ type, news }: CheckRequest): Promise<CheckResponse> {
    if (type !== 'test:index:Item') throw new ProviderError('NOT_FOUND', `unknown resource type ${type}`);
    return { inputs: news, failures: [] };
  }

  async diff({ oldInputs, news }: DiffRequest): Promise<DiffResponse> {
    return diffAnswer(equalMaps(oldInputs, news) ? 'none' : 'some');
  }

  async create({ inputs, preview }: CreateRequest): Promise<CreateResponse> {
    const id = preview ? '' : randomUUID();
    return { id, outputs: preview ? inputs : withId(inputs, id), refreshBeforeUpdate: false };
  }

  async read({ id, inputs, state }: ReadRequest): Promise<ReadResponse> {
    return { id, inputs, outputs: state ?? withId(propertyMap({}), id), refreshBeforeUpdate: false };
  }

  async update({ id, news }: UpdateRequest): Promise<UpdateResponse> {
    return { outputs: withId(news, id), refreshBeforeUpdate: false };
  }

  async delete(): Promise<void> {}

  invoke(): Promise<never> {
    return refuse('invoke');
  }

  construct(): Promise<never> {
    return refuse('construct');
  }

  call(): Promise<never> {
    return refuse('call');
  }

  async cancel(): Promise<void> {}

  async close(): Promise<void> {}
}

function withId(inputs: PropertyMap, id: string): PropertyMap {
  return propertyMap({ ...inputs, id });
}

async function refuse(what: string): Promise<never> {
  throw new ProviderError('UNIMPLEMENTED', `the package ${ITEM_PACKAGE} has no ${what}`);
}
