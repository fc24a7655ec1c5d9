import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, cairnError, exitCodeFor, messageOf } from '@cairn/diagnostics';
import { brokenPromises, providerTestSkeleton, readTestPlan, runProviderTest } from '@cairn/provider-check';
import type { JsonObject } from '@cairn/state';
import type { Command } from '../command-spec.js';
import type { Counts, Switches, Texts } from '../flags/flag-spec.js';
import { providerReportLines } from '../display/provider-report.js';
import { portsOf } from '../flows/ports.js';
import { printJson } from '../terminal/json-output.js';
import { paintFor } from '../terminal/paint.js';
import type { CommandContext } from '../command-context.js';

/** `provider test` */
export const run: Command<
  Counts<'cancelTimeout' | 'timeout'> & Texts<'file'> & Switches<'init' | 'json' | 'verbose'>
> = async ({ args, flags }, context) => {
  const provider = args[0] ?? '';
  const ports = portsOf(context, flags);
  const file = path.resolve(context.cwd, flags.file ?? 'provider-test.yaml');
  if (flags.init) {
    await writeSkeleton(file, await providerTestSkeleton(provider, ports));
    context.stderr.write(
      `Wrote ${file}\nFill in its values, then run: cairn provider test ${provider}${asFlag(flags)}\n`,
    );
    return EXIT.ok;
  }
  const plan = readTestPlan(await textOf(file), path.basename(file));
  const json = flags.json;
  const report = await runProviderTest(provider, plan, ports, {
    callSeconds: flags.timeout ?? 120,
    cancelSeconds: flags.cancelTimeout ?? 10,
    onProgress: (what) => told(context, json, `Trying ${what}`),
    onMessage: (text) => told(context, !flags.verbose, text),
  });
  const broken = brokenPromises(report).length;
  if (json) printJson(context, { ...(report as unknown as JsonObject), broken });
  else context.stdout.write(`${providerReportLines(report, paintFor(context.terminal.colour)).join('\n')}\n`);
  return broken === 0 ? EXIT.ok : exitCodeFor('CAIRN-PROVIDER-TEST');
};

function told(context: CommandContext, silent: boolean, text: string): void {
  if (!silent) context.stderr.write(`${text}\n`);
}

const asFlag = (flags: Texts<'file'>): string => (flags.file === undefined ? '' : ` --file ${flags.file}`);

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
