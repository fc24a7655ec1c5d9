import { StringDecoder } from 'node:string_decoder';
import { StdioData, StdioData_Channel } from '@cairn/tfplugin/plugin';
import { isStatusError } from '@cairn/wire';
import type { Caller } from '@cairn/wire/caller';

/** Paths of the services that a plugin serves beside the provider [TFP-4]. */
const SHUTDOWN = '/plugin.GRPCController/Shutdown';
const STREAM_STDIO = '/plugin.GRPCStdio/StreamStdio';
const HEALTH = '/grpc.health.v1.Health/Check';
const EMPTY = new Uint8Array();

/**
 * Makes a first call, so that an unreachable peer is detected before any other call. A refusal is an answer too: a
 * plugin need not have the service. Rejects if there is no answer.
 */
export async function reach(caller: Caller, signal: AbortSignal): Promise<void> {
  try {
    await caller.unary(HEALTH, EMPTY, { signal });
  } catch (error) {
    if (!isStatusError(error) || NO_ANSWER.has(error.status)) throw error;
  }
}

/** Statuses of calls without an answer in gRPC. */
const NO_ANSWER: ReadonlySet<string> = new Set(['UNAVAILABLE', 'CANCELLED', 'INTERNAL']);

/** Asks the provider to stop its work [TFP-7]. Never rejects. */
export async function askToGiveUp(caller: Caller, protocolVersion: number): Promise<void> {
  const method = protocolVersion === 5 ? 'Stop' : 'StopProvider';
  await caller.unary(`/tfplugin${protocolVersion}.Provider/${method}`, EMPTY).catch(() => undefined);
}

/**
 * Asks the plugin to end. It may stop listening before it answers, so that a lost connection counts as an answer. Never
 * rejects.
 */
export async function shutDown(caller: Caller): Promise<void> {
  await caller.unary(SHUTDOWN, EMPTY).catch(() => undefined);
}
/** Reads the output of a serving plugin, until it ends or the signal fires. Never rejects. */
export async function followStdio(
  caller: Caller,
  signal: AbortSignal,
  onOutput: (stream: 'stdout' | 'stderr', text: string) => void,
): Promise<void> {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  try {
    for await (const message of caller.serverStream(STREAM_STDIO, EMPTY, { signal })) {
      const { channel, data } = StdioData.decode(message);
      const stream = channel === StdioData_Channel.STDERR ? 'stderr' : 'stdout';
      const text = decoders[stream].write(Buffer.from(data));
      if (text !== '') onOutput(stream, text);
    }
  } catch {
    // A plugin need not have the service, and its end ends the stream.
  }
}
