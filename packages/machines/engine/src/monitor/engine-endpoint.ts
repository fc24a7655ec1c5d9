import { StatusError } from '@cairn/wire';
import type { Service } from '@cairn/wire/server';
import type { AnsweringPass, EngineEndpoint, EnginePorts } from '../ports.js';
import { engineAddresses, engineServices } from './serve-engine.js';
import { servePeers } from './serve-peers.js';
import type { ServedPeers } from './serve-peers.js';

/** Makes an endpoint. It does not listen before the first pass answers. */
export function createEngineEndpoint(): EngineEndpoint {
  return new Endpoint();
}

/** Method that takes messages. */
const LOG = '/pulumirpc.Engine/Log';
/** Limit of the messages kept between two passes; later ones are dropped. */
const MOST_KEPT = 1_000;

type UnaryHandler = NonNullable<ReturnType<Service['unary']['get']>>;

interface Answering {
  readonly emit: EnginePorts['emit'];
  readonly handlers: ReadonlyMap<string, UnaryHandler>;
}

class Endpoint implements EngineEndpoint {
  #served: Promise<ServedPeers> | undefined;
  #pass: Answering | undefined;
  #kept: ((handlers: Answering['handlers']) => Promise<unknown> | undefined)[] = [];

  async answer({ status, ...ports }: AnsweringPass) {
    const services = engineServices(ports, status);
    const pass = { emit: ports.emit, handlers: new Map(services.flatMap(({ unary }) => [...unary])) };
    this.#pass = pass;
    this.#served ??= servePeers(
      services.map((each) => this.#relayed(each)),
      { emit: (event) => this.#pass?.emit(event), calls: ports.calls },
    );
    const served = await this.#served;
    for (const send of this.#kept.splice(0)) await send(pass.handlers);
    const leave = () => {
      if (this.#pass === pass) this.#pass = undefined;
    };
    return { addresses: engineAddresses(served), leave };
  }

  async close(): Promise<void> {
    const served = await this.#served?.catch(() => undefined);
    await served?.close();
  }

  /**
   * Returns the service, answered by the running pass. Health checks of the engine are answered at any time [PLUG-8].
   */
  #relayed(service: Service): Service {
    if (service.name.startsWith('grpc.')) return service;
    const unary = [...service.unary.keys()].map((path): [string, UnaryHandler] => [
      path,
      (body, context) => {
        const handler = this.#pass?.handlers.get(path);
        if (handler !== undefined) return handler(body, context);
        if (path !== LOG) return Promise.reject(betweenPasses());
        const message = body.slice();
        if (this.#kept.length < MOST_KEPT) this.#kept.push((next) => next.get(path)?.(message, context));
        return Promise.resolve(new Uint8Array());
      },
    ]);
    return { ...service, unary: new Map(unary) };
  }
}

function betweenPasses(): StatusError {
  return new StatusError(
    'FAILED_PRECONDITION',
    'the engine is between the preview and the run of an operation: it cannot answer now',
  );
}
