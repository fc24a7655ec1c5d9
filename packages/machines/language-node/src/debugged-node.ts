import { createServer } from 'node:net';
import { cairnError } from '@cairn/diagnostics';
import { propertyMap } from '@cairn/values';

/** Arguments and notification of a Node process that waits for a debugger. */
interface DebuggedNode {
  /** Arguments for node itself. */
  readonly args: readonly string[];
  /** Reports to the engine, if there is one, how to attach a debugger. */
  tell(engineAddress: string | undefined, pid: number | undefined, name: string): Promise<void>;
}

/** Port where debuggers look for a Node process by default. */
const USUAL_PORT = 9229;
const PORTS = 100;

/** Returns a Node process that waits before its first line, at the usual port or at the next free one. */
export async function debuggedNode(): Promise<DebuggedNode> {
  const port = await freePort();
  return {
    // Node writes nothing about the debugger to the program's streams.
    args: [`--inspect-brk=${port}`, '--inspect-publish-uid=http'],
    tell: async (engineAddress, pid = 0, name) => {
      if (engineAddress === undefined) return;
      const [{ Http2Caller }, { EngineClient }] = await Promise.all([
        import('@cairn/wire/caller'),
        import('@cairn/wire/engine-client'),
      ]);
      const caller = new Http2Caller(engineAddress);
      const elsewhere = port === USUAL_PORT ? {} : { port };
      try {
        await new EngineClient(caller).startDebugging({
          config: propertyMap({
            ...{ name, type: 'node', request: 'attach', processId: pid, continueOnAttach: true },
            ...{ skipFiles: ['<node_internals>/**'], ...elsewhere },
          }),
          message: `on process id ${pid}${port === USUAL_PORT ? '' : ` and port ${port}`}`,
        });
      } finally {
        caller.close();
      }
    },
  };
}

async function freePort(): Promise<number> {
  for (let port = USUAL_PORT; port < USUAL_PORT + PORTS; port += 1) if (await isFree(port)) return port;
  throw cairnError(
    'CAIRN-PROGRAM-LOAD',
    `no port from ${USUAL_PORT} to ${USUAL_PORT + PORTS - 1} is free for a debugger`,
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
