import { cairnError, messageOf } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { describeExit, startProcess } from '@cairn/processes';
import type { OutputStream, ProcessGroup } from '@cairn/processes';
import { readHandshakeLine } from '@cairn/tfplugin';
import type { Handshake } from '@cairn/tfplugin';
import { PROTOCOL_VERSIONS, providerEnvironment } from './environment.js';
import { ProviderOutput } from './output.js';
import type { ExecutableStart, ProviderLimits } from './start.js';

/** A process that has said where it listens. */
export interface Launched {
  readonly group: ProcessGroup;
  readonly output: ProviderOutput;
  readonly handshake: Handshake;
}

/**
 * Starts the process and waits for its handshake [TFP-2]. `certificate`: ours as PEM, when the connection is to be
 * encrypted. Fails with CAIRN-PLUGIN-START; no process is left then.
 */
export async function launch(
  start: ExecutableStart,
  limits: ProviderLimits,
  certificate: string | undefined,
): Promise<Launched> {
  const output = new ProviderOutput(start.onLog, start.logFrom);
  const line = firstLine(output);
  const group = await startProcess({
    command: start.executable,
    args: start.args ?? [],
    cwd: start.cwd,
    env: providerEnvironment(start.env, certificate),
    onOutput: line.onOutput,
  }).catch((error: unknown) => {
    throw startError(start, [messageOf(error)], error);
  });
  void group.exit.then(() => output.end());
  const first = await lineOf(line.found, group, limits);
  const read =
    typeof first === 'string'
      ? readHandshakeLine(first, { versions: PROTOCOL_VERSIONS, encrypted: certificate !== undefined })
      : ({ t: 'refused', why: first.why } as const);
  if (read.t === 'handshake') return { group, output, handshake: read.handshake };
  group.kill();
  await group.exit;
  throw startError(start, [read.why, ...output.lastWords()]);
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

async function lineOf(
  line: Promise<string>,
  group: ProcessGroup,
  limits: ProviderLimits,
): Promise<string | { readonly why: string }> {
  const ended = group.exit.then((status) => ({
    why: `it ended with ${describeExit(status)} before it said where it listens`,
  }));
  const first = await within(Promise.race([line, ended]), limits.handshakeMs);
  return first ?? { why: `it did not say where it listens within ${limits.handshakeMs / 1000} s` };
}

/** What the work gives, or undefined when it takes longer. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

/** The error about a provider that cannot be used. */
export function startError(
  { name, executable }: { readonly name: string; readonly executable?: string | undefined },
  causes: readonly string[],
  cause?: unknown,
): CairnError {
  const hint =
    executable === undefined
      ? 'check that TF_REATTACH_PROVIDERS is what the running provider printed'
      : `check that ${executable} is a provider for this machine`;
  const what = `cannot start the Terraform provider ${name}`;
  return cairnError('CAIRN-PLUGIN-START', what, { causes: [...causes], hint }, cause);
}
