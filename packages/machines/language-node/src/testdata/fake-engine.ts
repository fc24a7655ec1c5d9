import { asUrn } from '@cairn/addresses';
import type { PropertyMap } from '@cairn/values';
import type { EngineService, LogRequest, Monitor } from '@cairn/wire';
import { StatusError } from '@cairn/wire';
import { engineService } from '@cairn/wire/engine-server';
import { monitorService } from '@cairn/wire/monitor-server';
import { startServer } from '@cairn/wire/server';
import type { RunningServer } from '@cairn/wire/server';

type RegisterRequest = Parameters<Monitor['registerResource']>[0];

/** Monitor and engine service that record their requests. */
export class FakeEngine {
  readonly registered: RegisterRequest[] = [];
  readonly logs: LogRequest[] = [];
  outputs: PropertyMap | undefined;
  shutdowns = 0;
  #server: RunningServer | undefined;
  address = '';

  async start(): Promise<void> {
    const monitor: Partial<Monitor> = {
      supportsFeature: async () => true,
      getDeploymentInfo: async () => {
        throw new StatusError('UNIMPLEMENTED', 'not here');
      },
      registerResource: async (request) => {
        const { type, name, inputs } = request;
        this.registered.push(request);
        const urn = asUrn(`urn:pulumi:dev::proj::${type}::${name}`);
        return {
          urn,
          id: `${name}-id`,
          outputs: inputs,
          propertyDependencies: {},
          result: 'success',
          unknown: false,
        };
      },
      registerResourceOutputs: async ({ outputs }) => void (this.outputs = outputs),
      signalAndWaitForShutdown: async () => void (this.shutdowns += 1),
    };
    const engine: Partial<EngineService> = {
      log: async (request) => void this.logs.push(request),
      getRootResource: async () => '',
      setRootResource: async () => undefined,
    };
    this.#server = await startServer({
      services: [monitorService(monitor as Monitor), engineService(engine as EngineService)],
    });
    this.address = this.#server.address;
  }

  errors(): string {
    return this.logs
      .filter((log) => log.severity === 'error')
      .map((log) => log.message)
      .join('\n');
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }
}
