import { StringDecoder } from 'node:string_decoder';
import { StdioData, StdioData_Channel } from '@cairn/tfplugin/plugin';
import type { Caller } from '@cairn/wire/caller';

/** Paths of the services that a plugin serves beside the provider [TFP-4]. */
const SHUTDOWN = '/plugin.GRPCController/Shutdown';
const STREAM_STDIO = '/plugin.GRPCStdio/StreamStdio';
const EMPTY = new Uint8Array();

/**
 * Asks the plugin to end. It may stop listening before it answers, so that a lost connection says the same as an
 * answer. Never rejects.
 */
export async function shutDown(caller: Caller): Promise<void> {
  await caller.unary(SHUTDOWN, EMPTY).catch(() => undefined);
}

/** Reads what the plugin writes once it serves, until it ends or the signal. Never rejects. */
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
