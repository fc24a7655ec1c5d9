import { setTimeout as wait } from 'node:timers/promises';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { Program } from '@cairn/engine';
import type { RunRequest } from '@cairn/wire';
import { Http2Caller, watchedCaller } from '@cairn/wire/caller';
import type { CallWatch } from '@cairn/wire/caller';
import { LanguageClient } from '@cairn/wire/language-client';

/** Milliseconds that a cancelled program gets to end on its own, before Cairn stops waiting for it. */
const GRACE_MS = 2_000;

/**
 * Connects to the language host at `host:port`, which runs the program in another process. A program brought it along
 * for this operation. Throws CAIRN-USAGE for an invalid address.
 */
export function connectLanguageHost(address: string, calls?: CallWatch): LanguageClient {
  try {
    return new LanguageClient(
      watchedCaller(new Http2Caller(address), { mode: 'client', kind: 'language' }, calls),
    );
  } catch (error) {
    throw cairnError(
      'CAIRN-USAGE',
      `--client takes the address of a language host, not ${JSON.stringify(address)}`,
      { causes: [messageOf(error)], hint: 'Write HOST:PORT, for example `--client 127.0.0.1:50051`.' },
      error,
    );
  }
}

/**
 * Asks such a host for the program's packages, before anything else. Throws CAIRN-PROGRAM-LOAD when there is no answer.
 */
export async function askForPackages(
  host: LanguageClient,
  address: string,
  info: RunRequest['info'],
): ReturnType<LanguageClient['getRequiredPackages']> {
  return host.getRequiredPackages(info).catch((error: unknown) => {
    throw cairnError(
      'CAIRN-PROGRAM-LOAD',
      `no language host answers at ${address}`,
      {
        causes: [messageOf(error)],
        hint: 'Make sure that the process that passes this address with --client serves it.',
      },
      error,
    );
  });
}

/**
 * Returns a program that such a host runs. Its first argument is the address of the engine, and addresses are ports. If
 * it continues after it was cancelled, the connection is closed. Its later actions do not reach the operation.
 */
export function programOfClient(host: LanguageClient, request: () => Omit<RunRequest, keyof Told>): Program {
  let running: Promise<unknown> | undefined;
  return {
    async run({ onPort, dryRun }) {
      const { monitor, engine, loader, mapper } = onPort();
      const run = host.run({
        ...request(),
        ...{ monitorAddress: monitor, engineAddress: engine, loaderAddress: loader, mapperAddress: mapper },
        args: [engine],
        dryRun,
      });
      running = run.catch(() => undefined).finally(() => (running = undefined));
      return run;
    },
    async cancel() {
      // A host may report a missing method in the program's output, so it is only cancelled while it runs.
      if (running === undefined) return;
      await host.cancel();
      await Promise.race([running, wait(GRACE_MS, undefined, { ref: false })]);
      await host.close();
    },
  };
}

/** Facts about the operation that a program receives. */
type Told = Pick<
  RunRequest,
  'monitorAddress' | 'engineAddress' | 'loaderAddress' | 'mapperAddress' | 'args' | 'dryRun'
>;
