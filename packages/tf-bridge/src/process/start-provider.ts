import { cairnError, messageOf } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { describeExit, startProcess } from '@cairn/processes';
import type { OutputStream, ProcessGroup } from '@cairn/processes';
import { Http2Caller } from '@cairn/wire/caller';
import type { Caller } from '@cairn/wire/caller';
import { certificatePem, makeCertificate } from '@cairn/tfplugin/tls';
import type { OwnCertificate } from '@cairn/tfplugin/tls';
import { PROTOCOL_VERSIONS, encrypts, providerEnvironment } from './environment.js';
import { readHandshakeLine } from './handshake-line.js';
import type { Handshake } from './handshake-line.js';
import type { ProviderLog } from './log-line.js';
import { ProviderOutput } from './output.js';
import { guardedCaller } from './guarded-caller.js';
import { followStdio, shutDown } from './support-services.js';

/** Which provider to start, and with what. */
export interface ProviderStart {
  /** Name for messages, e.g. `hashicorp/random`. */
  readonly name: string;
  /** Absolute path of the executable. */
  readonly executable: string;
  readonly args?: readonly string[] | undefined;
  readonly cwd: string;
  /** The host's environment, which the provider inherits. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told each line that the provider writes. Must not throw. */
  readonly onLog: (log: ProviderLog) => void;
  readonly limits?: Partial<ProviderLimits> | undefined;
}

/** How long is waited for what, in milliseconds. */
export interface ProviderLimits {
  /** From the start of the process until it says where it listens. */
  readonly handshakeMs: number;
  /** From the request to shut down until the process is killed. */
  readonly shutdownMs: number;
  /** For the news of its end, after the connection was lost. */
  readonly exitNewsMs: number;
}

const LIMITS: ProviderLimits = { handshakeMs: 60_000, shutdownMs: 2_000, exitNewsMs: 1_000 };

/** A provider that has said where it listens. */
export interface RunningProvider {
  /** 5 or 6. */
  readonly protocolVersion: number;
  /** Calls its methods. A call that its end interrupts fails with the process' last words. */
  readonly caller: Caller;
  /** How the process ended; undefined while it runs, and for one that somebody else started. */
  ended(): string | undefined;
  /** Asks it to shut down, waits for that, then kills it. Done once. Never throws. */
  stop(): Promise<void>;
}

/** Starts a provider [TFP-1]. Fails with CAIRN-PLUGIN-START; no process is left then. */
export async function startProvider(start: ProviderStart): Promise<RunningProvider> {
  const limits = { ...LIMITS, ...start.limits };
  const own = encrypts(start.env) ? await makeCertificate() : undefined;
  const output = new ProviderOutput(start.onLog);
  const line = firstLine(output);
  const group = await startProcess({
    command: start.executable,
    args: start.args ?? [],
    cwd: start.cwd,
    env: providerEnvironment(start.env, own?.certificate),
    onOutput: line.onOutput,
  }).catch((error: unknown) => {
    throw startError(start, [messageOf(error)], error);
  });
  void group.exit.then(() => output.end());
  try {
    const handshake = await handshakeOf(start, limits, line.found, group, output);
    return running(start, limits, group, output, handshake, connect(start, handshake, own));
  } catch (error) {
    group.kill();
    await group.exit;
    throw error;
  }
}

/** Takes the process' output: the first line of stdout is the handshake, all else goes to the log. */
function firstLine(output: ProviderOutput) {
  let head: string | undefined = '';
  let tell: (line: string) => void = () => {};
  const found = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const onOutput = (stream: OutputStream, text: string): void => {
    if (stream === 'stderr' || head === undefined) return output.write(stream, text);
    head += text;
    const end = head.indexOf('\n');
    if (end < 0 && head.length < LONGEST_LINE) return;
    const line = end < 0 ? head : head.slice(0, end);
    const rest = end < 0 ? '' : head.slice(end + 1);
    head = undefined;
    tell(line);
    if (rest !== '') output.write('stdout', rest);
  };
  return { onOutput, found };
}

/** Characters that are read before a first line without an end counts as no handshake. */
const LONGEST_LINE = 65_536;

async function handshakeOf(
  start: ProviderStart,
  limits: ProviderLimits,
  line: Promise<string>,
  group: ProcessGroup,
  output: ProviderOutput,
): Promise<Handshake> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ why: string }>((resolve) => {
    const why = `it did not say where it listens within ${limits.handshakeMs / 1000} s`;
    timer = setTimeout(() => resolve({ why }), limits.handshakeMs);
  });
  const ended = group.exit.then((status) => ({
    why: `it ended with ${describeExit(status)} before it said where it listens`,
  }));
  const first = await Promise.race([line, ended, late]);
  clearTimeout(timer);
  if (typeof first !== 'string') throw startError(start, [first.why, ...output.lastWords()]);
  const read = readHandshakeLine(first, PROTOCOL_VERSIONS);
  if (read.t === 'refused') throw startError(start, [read.why, ...output.lastWords()]);
  return read.handshake;
}

function connect(start: ProviderStart, handshake: Handshake, own: OwnCertificate | undefined): Caller {
  const { address, certificate } = handshake;
  if (own === undefined) return new Http2Caller(address);
  if (certificate === undefined)
    throw startError(start, [
      'it shows no certificate although it was given ours: set TF_DISABLE_PLUGIN_TLS=1 to speak to it without encryption',
    ]);
  return new Http2Caller(address, {
    serverCertificate: certificatePem(certificate),
    certificate: own.certificate,
    key: own.key,
  });
}

function running(
  start: ProviderStart,
  limits: ProviderLimits,
  group: ProcessGroup,
  output: ProviderOutput,
  handshake: Handshake,
  connection: Caller,
): RunningProvider {
  const ended = (): string | undefined => (group.ended === undefined ? undefined : describeExit(group.ended));
  const stdio = new AbortController();
  void followStdio(connection, stdio.signal, (stream, text) => output.write(stream, text));
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    const kill = setTimeout(() => group.kill(), limits.shutdownMs);
    if (group.ended === undefined) await shutDown(connection);
    await group.exit;
    clearTimeout(kill);
    stdio.abort();
    connection.close();
  };
  const caller = guardedCaller(connection, {
    name: start.name,
    exit: () => within(group.exit.then(describeExit), limits.exitNewsMs),
    lastWords: () => output.lastWords(),
  });
  return {
    protocolVersion: handshake.protocolVersion,
    caller,
    ended,
    stop: () => (stopping ??= stop()),
  };
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

function startError(start: ProviderStart, causes: readonly string[], cause?: unknown): CairnError {
  return cairnError(
    'CAIRN-PLUGIN-START',
    `cannot start the Terraform provider ${start.name}`,
    { causes: [...causes], hint: `check that ${start.executable} is a provider for this machine` },
    cause,
  );
}
