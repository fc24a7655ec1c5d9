import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, cairnError, exitCodeFor, messageOf } from '@cairn/diagnostics';
import { brokenPromises, providerTestSkeleton, readTestPlan, runProviderTest } from '@cairn/provider-check';
import type { JsonObject } from '@cairn/state';
import type { Command, Flags } from '../command-spec.js';
import { providerReportLines } from '../display/provider-report.js';
import { portsOf } from '../session/ports.js';
import { printJson } from '../terminal/json-output.js';
import { paintFor } from '../terminal/paint.js';
import type { World } from '../world.js';

/** `provider test` */
export const run: Command = async ({ args, flags }, world) => {
  const provider = args[0] ?? '';
  const ports = portsOf(world, flags);
  const file = path.resolve(world.cwd, flags.text('file') ?? 'provider-test.yaml');
  if (flags.on('init')) {
    await writeSkeleton(file, await providerTestSkeleton(provider, ports));
    world.stderr.write(
      `Wrote ${file}\nFill in its values, then run: cairn provider test ${provider}${asFlag(flags)}\n`,
    );
    return EXIT.ok;
  }
  const plan = readTestPlan(await textOf(file), path.basename(file));
  const json = flags.on('json');
  const report = await runProviderTest(provider, plan, ports, {
    callSeconds: flags.count('timeout') ?? 120,
    cancelSeconds: flags.count('cancel-timeout') ?? 10,
    onProgress: (what) => told(world, json, `Trying ${what}`),
    onMessage: (text) => told(world, !flags.on('verbose'), text),
  });
  const broken = brokenPromises(report).length;
  if (json) printJson(world, { ...(report as unknown as JsonObject), broken });
  else world.stdout.write(`${providerReportLines(report, paintFor(world.terminal.colour)).join('\n')}\n`);
  return broken === 0 ? EXIT.ok : exitCodeFor('CAIRN-PROVIDER-TEST');
};

function told(world: World, silent: boolean, text: string): void {
  if (!silent) world.stderr.write(`${text}\n`);
}

const asFlag = (flags: Flags): string =>
  flags.text('file') === undefined ? '' : ` --file ${flags.text('file')}`;

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot read ${file}`, {
      causes: [messageOf(error)],
      hint: 'Write one to start from with --init, or name another with --file.',
    });
  });
}

async function writeSkeleton(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx' }).catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot write ${file}`, {
      causes: [messageOf(error)],
      hint: 'Name another file with --file.',
    });
  });
}
