import { messageOf } from '@cairn/diagnostics';
import { describeExit, within } from '@cairn/processes';
import { certificatePem, makeCertificate } from '@cairn/tfplugin/tls';
import type { OwnCertificate } from '@cairn/tfplugin/tls';
import { Http2Caller } from '@cairn/wire/caller';
import type { Caller } from '@cairn/wire/caller';
import { encrypts } from './environment.js';
import { guardedCaller } from './guarded-caller.js';
import { launch, providerStartError } from './launch.js';
import type { Launched } from './launch.js';
import type {
  AttachedStart,
  ExecutableStart,
  ProviderLimits,
  ProviderStart,
  RunningProvider,
} from './start.js';
import { askToGiveUp, followStdio, reach, shutDown } from './support-services.js';

const LIMITS: ProviderLimits = {
  handshakeMs: 60_000,
  firstCallMs: 60_000,
  shutdownMs: 2_000,
  exitNewsMs: 1_000,
};

/**
 * Starts a provider [TFP-1], or connects to a running one [TFP-6], and verifies that it answers. Fails with
 * CAIRN-PLUGIN-START; no process remains then.
 */
export async function startProvider(start: ProviderStart): Promise<RunningProvider> {
  const limits = { ...LIMITS, ...start.limits };
  return start.attached === undefined ? started(start, limits) : attached(start, limits);
}

async function started(start: ExecutableStart, limits: ProviderLimits): Promise<RunningProvider> {
  const own = encrypts(start.env) ? await makeCertificate() : undefined;
  const launched = await launch(start, limits, own?.certificate);
  const { group, output } = launched;
  const connection = connect(launched, own);
  const silent = await unreachable(connection, limits);
  if (silent === undefined) return running(start, limits, launched, connection);
  connection.close();
  // The end of the process explains more than the connection that it closed.
  const exit = await within(group.exit, limits.exitNewsMs / 4);
  group.kill();
  await group.exit;
  const ended = exit === undefined ? [] : [`it ended with ${describeExit(exit)}`];
  throw providerStartError(start, [...ended, silent, ...output.lastWords()]);
}

/** Returns the reason why the peer cannot be reached, or undefined if it answers. */
async function unreachable(connection: Caller, limits: ProviderLimits): Promise<string | undefined> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limits.firstCallMs);
  try {
    await reach(connection, limit.signal);
    return undefined;
  } catch (error) {
    if (limit.signal.aborted) return `it did not answer within ${limits.firstCallMs / 1000} s`;
    return `cannot connect to it: ${messageOf(error)}`;
  } finally {
    clearTimeout(timer);
  }
}

function connect({ handshake }: Launched, own: OwnCertificate | undefined): Caller {
  const { certificate } = handshake;
  const address = addressOf(handshake);
  if (own === undefined || certificate === undefined) return new Http2Caller(address);
  return new Http2Caller(address, {
    serverCertificate: certificatePem(certificate),
    certificate: own.certificate,
    key: own.key,
  });
}

const addressOf = ({ network, address }: { readonly network: 'unix' | 'tcp'; readonly address: string }) =>
  network === 'unix' ? `unix:${address}` : address;

function running(
  start: ExecutableStart,
  limits: ProviderLimits,
  { group, output, handshake }: Launched,
  connection: Caller,
): RunningProvider {
  const stdio = new AbortController();
  void followStdio(connection, stdio.signal, (stream, text) => output.write(stream, text));
  const { protocolVersion } = handshake;
  return {
    protocolVersion,
    caller: guardedCaller(connection, {
      name: start.name,
      exit: () => within(group.exit.then(describeExit), limits.exitNewsMs),
      lastWords: () => output.lastWords(),
    }),
    ended: () => (group.ended === undefined ? undefined : describeExit(group.ended)),
    cancel: once(() => askToGiveUp(connection, protocolVersion)),
    stop: once(async () => {
      const kill = setTimeout(() => group.kill(), limits.shutdownMs);
      if (group.ended === undefined) await shutDown(connection);
      await group.exit;
      clearTimeout(kill);
      stdio.abort();
      connection.close();
    }),
  };
}

async function attached(start: AttachedStart, limits: ProviderLimits): Promise<RunningProvider> {
  const { name, attached: provider } = start;
  const connection = new Http2Caller(addressOf(provider));
  const silent = await unreachable(connection, limits);
  if (silent !== undefined) {
    connection.close();
    throw providerStartError(start, [silent]);
  }
  const nothing = () => Promise.resolve(undefined);
  const { protocolVersion, test } = provider;
  return {
    protocolVersion,
    caller: guardedCaller(connection, { name, exit: nothing, lastWords: () => [] }),
    ended: () => undefined,
    cancel: once(() => askToGiveUp(connection, protocolVersion)),
    stop: once(async () => {
      if (!test) await within(shutDown(connection), limits.shutdownMs);
      connection.close();
    }),
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | undefined;
  return () => (begun ??= work());
}
