import { cairnError, messageOf } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { describeExit, startProcess, within } from '@cairn/processes';
import type { OutputStream, ProcessGroup } from '@cairn/processes';
import { readHandshakeLine } from '@cairn/tfplugin';
import type { Handshake } from '@cairn/tfplugin';
import { PROTOCOL_VERSIONS, providerEnvironment } from './environment.js';
import { ProviderOutput } from './output.js';
import type { ExecutableStart, ProviderLimits } from './start.js';

/** A process that has announced its address. */
export interface Launched {
  readonly group: ProcessGroup;
  readonly output: ProviderOutput;
  readonly handshake: Handshake;
}

/**
 * Starts the process and waits for its handshake [TFP-2]. `certificate` is Cairn's own as PEM, if the connection must
 * be encrypted. Fails with CAIRN-PLUGIN-START; no process remains then.
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
    throw providerStartError(start, [messageOf(error)], error);
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
  throw providerStartError(start, [read.why, ...output.lastWords()]);
}

/** Reads the process' output: the first line of stdout is the handshake, and all other text goes to the log. */
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

/** Number of characters after which a first line without an end is not a handshake. */
const LONGEST_LINE = 65_536;

async function lineOf(
  line: Promise<string>,
  group: ProcessGroup,
  limits: ProviderLimits,
): Promise<string | { readonly why: string }> {
  const ended = group.exit.then((status) => ({
    why: `it ended with ${describeExit(status)} before it printed its address`,
  }));
  const first = await within(Promise.race([line, ended]), limits.handshakeMs);
  return first ?? { why: `it did not print its address within ${limits.handshakeMs / 1000} s` };
}

/** Returns the error about a provider that cannot be used. */
export function providerStartError(
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
