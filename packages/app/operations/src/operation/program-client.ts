import { setTimeout as wait } from 'node:timers/promises';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { Program } from '@cairn/engine';
import type { RunRequest } from '@cairn/wire';
import { Http2Caller, watchedCaller } from '@cairn/wire/caller';
import type { CallWatch } from '@cairn/wire/caller';
import { LanguageClient } from '@cairn/wire/language-client';

/** Milliseconds that a program gets to end by itself once it was cancelled, before it is left alone. */
const GRACE_MS = 2_000;

/**
 * The language host that somebody serves at `host:port`, who runs the program in a process of their own: one that a
 * program brought along for this operation. Throws CAIRN-USAGE for what is no address.
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
      { causes: [messageOf(error)], hint: 'for example --client 127.0.0.1:50051' },
      error,
    );
  }
}

/** What such a host is asked first. Throws CAIRN-PROGRAM-LOAD when nobody answers there. */
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
        hint: 'the process that gives this address with --client has to serve it',
      },
      error,
    );
  });
}

/**
 * A program that such a host runs. It is told where the engine is by its first argument, and addresses are ports. When
 * it is cancelled and goes on, the connection is closed: what it does then is its own business, nothing of it reaches
 * the operation.
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
      // A host that is asked for what it does not have may say so in the program's output.
      if (running === undefined) return;
      await host.cancel();
      await Promise.race([running, wait(GRACE_MS, undefined, { ref: false })]);
      await host.close();
    },
  };
}

/** What a program is told of the operation that runs it. */
type Told = Pick<
  RunRequest,
  'monitorAddress' | 'engineAddress' | 'loaderAddress' | 'mapperAddress' | 'args' | 'dryRun'
>;
