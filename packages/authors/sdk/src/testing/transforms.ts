import type {
  CallbackOptions,
  CallbackReference,
  MonitorInvokeRequest,
  RegisterResourceRequest,
  TransformInvokeRequest,
  TransformInvokeResponse,
  TransformRequest,
  TransformResponse,
} from '@cairn/wire';
import { CallbackFunctions } from '@cairn/wire/callbacks-server';

type Transform = (request: TransformRequest) => Promise<TransformResponse> | TransformResponse;
type TransformInvoke = (
  request: TransformInvokeRequest,
) => Promise<TransformInvokeResponse> | TransformInvokeResponse;

/** Transforms of a program that runs in this process. They are called directly, without messages. */
export class LocalTransforms extends CallbackFunctions {
  readonly #transforms = new Map<string, Transform>();
  readonly #invokes = new Map<string, TransformInvoke>();
  readonly #own = new Map<string, readonly CallbackReference[]>();
  /** Transforms of the stack, in the order in which they were registered. */
  readonly ofStack: CallbackReference[] = [];
  readonly ofInvokes: CallbackReference[] = [];

  constructor() {
    let count = 0;
    super(() => String(count++));
  }

  override transform(transform: Transform): string {
    const token = super.transform(transform);
    this.#transforms.set(token, transform);
    return token;
  }

  override transformInvoke(transform: TransformInvoke): string {
    const token = super.transformInvoke(transform);
    this.#invokes.set(token, transform);
    return token;
  }

  /**
   * Returns a registration after its transforms: its own, then those of its ancestors, nearest first, then the stack's.
   * `parents` contains the URNs of the ancestors, nearest first.
   */
  // [XFORM-3]
  async transformed(
    urn: string,
    request: RegisterResourceRequest,
    parents: readonly string[],
  ): Promise<RegisterResourceRequest> {
    this.#own.set(urn, request.transforms);
    const inherited = parents.flatMap((parent) => this.#own.get(parent) ?? []);
    let now = request;
    for (const { token } of [...request.transforms, ...inherited, ...this.ofStack]) {
      const { type, name, custom, parent, inputs: properties } = now;
      const call = this.#transforms.get(token);
      const answer = await call?.({ type, name, custom, parent, properties, options: optionsOf(now) });
      now = {
        ...withOptions(now, answer?.options),
        inputs: answer?.properties ?? properties,
      };
    }
    return now;
  }

  /** Returns an invoke after its transforms. */
  async transformedInvoke(request: MonitorInvokeRequest): Promise<MonitorInvokeRequest> {
    let now = request;
    for (const { token } of this.ofInvokes) {
      const { provider, package: of } = now;
      const { version, pluginDownloadUrl, pluginChecksums } = of;
      const options = { provider, version, pluginDownloadUrl, pluginChecksums };
      const answer = await this.#invokes.get(token)?.({ token: now.token, args: now.args, options });
      now = { ...now, args: answer?.args ?? now.args, provider: answer?.options?.provider ?? provider };
    }
    return now;
  }
}

/** Options with the same name in a registration and in a transform. */
const SAME = [
  ...(['protect', 'ignoreChanges', 'replaceOnChanges', 'aliases', 'provider', 'providers'] as const),
  ...(['retainOnDelete', 'deletedWith', 'replaceWith', 'replacementTrigger', 'deleteBeforeReplace'] as const),
  ...(['additionalSecretOutputs', 'hideDiffs', 'importId', 'hooks', 'customTimeouts'] as const),
];

function optionsOf(request: RegisterResourceRequest): CallbackOptions {
  const { version, pluginDownloadUrl, pluginChecksums } = request.package;
  const same = Object.fromEntries(SAME.map((key) => [key, request[key]])) as Pick<
    RegisterResourceRequest,
    (typeof SAME)[number]
  >;
  return { ...same, version, pluginDownloadUrl, pluginChecksums, dependsOn: request.dependencies };
}

function withOptions(
  request: RegisterResourceRequest,
  options: CallbackOptions | undefined,
): RegisterResourceRequest {
  if (options === undefined) return request;
  const { version, pluginDownloadUrl, pluginChecksums, dependsOn, customTimeouts, ...rest } = options;
  return {
    ...request,
    ...rest,
    package: { ...request.package, version, pluginDownloadUrl, pluginChecksums },
    dependencies: dependsOn,
    customTimeouts: customTimeouts ?? request.customTimeouts,
  };
}
