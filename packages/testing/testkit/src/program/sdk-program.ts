import type { Program } from '@cairn/engine';
import { PROGRAM_EXIT, deployment, runProgram } from '@cairn/sdk/runtime';
import type { EngineService } from '@cairn/wire';

/** Number of quiet rounds of the event loop after which a program has ended. */
const QUIET_ROUNDS = 3;

/**
 * Runs a program written with the TypeScript SDK in this process. `load` declares resources as the top level of a
 * module does, and returns the module's exports. One at a time: the SDK knows one running deployment in a process.
 */
export function sdkProgram(
  load: () => object | Promise<object>,
  stack: { readonly project: string; readonly stack: string; readonly organization: string },
): Program {
  return {
    inProcess: true,
    run: async ({ services, dryRun }) => {
      let failed = false;
      const engine: EngineService = new Proxy(services.engine, {
        get: (target, name) => {
          if (name === 'log') {
            return (request: Parameters<EngineService['log']>[0]) => {
              failed ||= request.severity === 'error';
              return target.log(request);
            };
          }
          const member: unknown = Reflect.get(target, name, target);
          return typeof member === 'function' ? member.bind(target) : member;
        },
      });
      let loaded: Promise<object> | undefined;
      const { finished } = runProgram(() => (loaded = Promise.resolve().then(load)), {
        monitor: services.monitor,
        engine,
        settings: { ...stack, rootDirectory: '/', dryRun, parallel: 8, config: {}, configSecretKeys: [] },
        directory: '/',
        idle: async () => {
          await loaded?.catch(() => undefined);
          await quiet();
        },
      });
      if ((await finished) === PROGRAM_EXIT.ok) return { t: 'ok' };
      return failed ? { t: 'bail' } : { t: 'failed', message: 'the program failed without saying why' };
    },
    cancel: () => Promise.resolve(),
  };
}

/** Resolves when nothing in the program is pending. */
async function quiet(): Promise<void> {
  for (let rounds = 0; rounds < QUIET_ROUNDS; rounds++) {
    await new Promise(setImmediate);
    if (deployment().pending.size > 0) rounds = -1;
  }
}
