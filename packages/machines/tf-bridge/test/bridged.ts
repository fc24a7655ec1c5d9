import { makeUrn } from '@cairn/addresses';
import { propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type {
  CheckResponse,
  CreateResponse,
  DiffResponse,
  KeptAnswers,
  Provider,
  ReadResponse,
} from '@cairn/wire';
import { boxesProvider, inProcessCaller, MemoryStore } from '@cairn/testkit/terraform';
import type { BoxesOptions, ScriptedTerraformProvider } from '@cairn/testkit/terraform';
import { createBridge } from '../src/index.js';

/** An object as the engine keeps it. */
export interface Kept {
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

/** Options of a launched bridge besides its provider. */
interface LaunchOptions {
  readonly schemaCache?: { readonly directory: string; readonly identity: string };
  readonly keptAnswers?: KeptAnswers | undefined;
}

/** The bridge of a scripted provider in this process, with short forms of an engine's calls. */
export class Bridged {
  readonly scripted: ScriptedTerraformProvider;
  readonly bridge: Provider;
  stops = 0;

  private constructor(options: BoxesOptions, schemaCache: LaunchOptions['schemaCache']) {
    this.scripted = boxesProvider({ store: new MemoryStore(), ...options });
    const running = {
      protocolVersion: this.scripted.protocol,
      caller: inProcessCaller([this.scripted.service()]),
      ended: () => undefined,
      cancel: async () => undefined,
      stop: async () => {
        this.stops += 1;
      },
    };
    this.bridge = createBridge({
      cwd: '/',
      env: {},
      launch: async () => ({ name: 'acme/boxes', running, schemaCache }),
    });
  }

  static async start(options: BoxesOptions = {}, launch: LaunchOptions = {}): Promise<Bridged> {
    const made = new Bridged(options, launch.schemaCache);
    const value = Buffer.from(JSON.stringify({ source: 'acme/boxes', version: '1.2.3', name: 'boxes' }));
    await made.bridge.handshake({ engineAddress: '', keptAnswers: async () => launch.keptAnswers });
    await made.bridge.parameterize({
      parameters: { kind: 'value', name: 'boxes', version: '1.2.3', value },
    });
    await made.configure(propertyMap({}));
    return made;
  }

  async configure(inputs: PropertyMap): Promise<void> {
    await this.bridge.configure({ ...about('pulumi:providers:boxes', 'default'), id: 'x', inputs });
  }

  check(inputs: PropertyMap, type = BOX): Promise<CheckResponse> {
    const randomSeed = new Uint8Array(32);
    const request = { ...about(type), olds: undefined, news: inputs, randomSeed, allowUnknowns: true };
    return this.bridge.check(request);
  }

  create(inputs: PropertyMap, preview = false, type = BOX): Promise<CreateResponse> {
    return this.bridge.create({ ...about(type), inputs, timeoutSeconds: 0, preview });
  }

  /** Creates an object and keeps it. */
  async made(inputs: PropertyMap, type = BOX): Promise<Kept> {
    const { id, outputs } = await this.create(inputs, false, type);
    return { id, inputs, outputs };
  }

  diff(
    kept: Kept,
    news: PropertyMap,
    ignoreChanges: readonly string[] = [],
    type = BOX,
  ): Promise<DiffResponse> {
    return this.bridge.diff({ ...old(kept, type), news, allowUnknowns: true, ignoreChanges });
  }

  async update(kept: Kept, news: PropertyMap, preview = false, type = BOX): Promise<PropertyMap> {
    const request = { ...old(kept, type), news, timeoutSeconds: 0, ignoreChanges: [], preview };
    return (await this.bridge.update(request)).outputs;
  }

  delete(kept: Kept, type = BOX): Promise<void> {
    return this.bridge.delete({ ...old(kept, type), timeoutSeconds: 0 });
  }

  read(kept: Kept, type = BOX): Promise<ReadResponse> {
    const { id, inputs, outputs: state } = kept;
    return this.bridge.read({ ...about(type), id, inputs, state, timeoutSeconds: 0 });
  }

  find(id: string, type = BOX): Promise<ReadResponse> {
    return this.bridge.read({ ...about(type), id, inputs: undefined, state: undefined, timeoutSeconds: 0 });
  }

  /** Returns the changes made to objects. */
  effects(): readonly string[] {
    return this.scripted.store.effects().map(({ effect, id }) => `${effect} ${id}`);
  }

  /** Returns the number of calls of a method. */
  count(call: Parameters<ScriptedTerraformProvider['requests']>[0]): number {
    return this.scripted.requests(call).length;
  }
}

export const BOX = 'boxes:index/box:Box';

function about(type: string, name = 'a') {
  return { urn: makeUrn({ stack: 's', project: 'p', type, name }), name, type };
}

function old({ id, inputs, outputs }: Kept, type: string) {
  return { ...about(type), id, oldInputs: inputs, oldOutputs: outputs };
}

/** The identity of the object in calls. */
export const aboutBox = about(BOX);
