import { stat } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import {
  checkedKind,
  checkedPluginName,
  checkedVersion,
  findCommand,
  findPluginFolder,
} from '@cairn/plugin-host/install';
import type { WantedCommand } from '@cairn/plugin-host/install';
import { spawnProcess } from '@cairn/processes';
import { observed, runPluginFolder, withConverter } from '@cairn/operations';
import type { PluginFolderRun } from '@cairn/operations';
import type { Command } from '../command-spec.js';
import type { Texts } from '../flags/flag-spec.js';
import { portsOf } from '../flows/ports.js';
import type { CommandContext } from '../command-context.js';

/** `plugin run`: its exit code is that of the plugin. */
export const run: Command<Texts<'kind'>> = async ({ args, flags }, context) => {
  const [source = '', ...rest] = args.filter((arg) => arg !== undefined);
  const kind = checkedKind(flags.kind ?? 'tool');
  const here = path.resolve(context.cwd, source);
  const isHere = /^[.~]|[/\\]/.test(source);
  const [name = '', version] = isHere ? [] : source.split('@');
  const found = isHere
    ? { directory: here, name: path.basename(here) }
    : {
        name: checkedPluginName(name),
        version: version === undefined ? undefined : checkedVersion(version),
      };
  const wanted = { kind, ...found };
  const command = await (isHere && (await isFile(here)) ? here : findCommand(wanted, context.env));
  const runnable = command ?? (await sourceFolder(wanted, context));
  if (runnable === undefined) throw missing(kind, source, isHere);
  const ports = portsOf(context, flags);
  const use = { name: undefined, mappings: new Map(), project: undefined, programDirectory: context.cwd };
  const onMessage = ({ text }: { readonly text: string }): void => void context.stderr.write(`${text}\n`);
  return withConverter(ports, { ...use, onMessage }, ({ address }) => {
    const seen = observed(ports);
    const env = { ...seen?.variables, PULUMI_RPC_TARGET: address };
    const words = [...(seen?.arguments ?? []), ...rest];
    if (typeof runnable === 'string')
      return finished({ ...context, env: { ...context.env, ...env } }, runnable, words);
    return runPluginFolder(ports, {
      ...{ ...runnable, name: found.name },
      ...{ workingDirectory: context.cwd, args: words, env, onMessage },
      onOutput: (stream, text) => void context[stream].write(text),
      onInterrupt: (stop) => context.onInterrupt(stop),
    });
  });
};

/** Returns the folder of a plugin that is source code. Languages run plugins of all kinds except their own. */
async function sourceFolder(
  wanted: WantedCommand,
  context: CommandContext,
): Promise<Pick<PluginFolderRun, 'kind' | 'directory'> | undefined> {
  const { kind } = wanted;
  if (kind === 'language') return undefined;
  const directory = await findPluginFolder(wanted, context.env);
  return directory === undefined ? undefined : { kind, directory };
}

function missing(kind: string, source: string, isHere: boolean): Error {
  if (isHere)
    return cairnError('CAIRN-PLUGIN-NOT-FOUND', `there is no plugin at ${source}`, {
      hint: `Name an executable, or a folder with an executable pulumi-${kind}-NAME or a PulumiPlugin.yaml.`,
    });
  const [name, version] = source.split('@');
  const words = ['cairn plugin install', kind, name, version].filter((word) => word !== undefined);
  return cairnError('CAIRN-PLUGIN-NOT-FOUND', `no ${kind} plugin ${source} is installed`, {
    hint: `Run \`${words.join(' ')}\`.`,
  });
}

/** Runs the plugin. It has the streams of this process, and interrupts reach it as well. */
async function finished(context: CommandContext, command: string, args: readonly string[]): Promise<number> {
  const stop = context.onInterrupt(() => undefined);
  const env = context.env as NodeJS.ProcessEnv;
  try {
    const child = await spawnProcess(command, args, { cwd: context.cwd, env, stdio: 'inherit' });
    return await new Promise<number>((resolve) =>
      child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128))),
    );
  } catch (thrown) {
    if (isCairnError(thrown)) throw thrown;
    throw cairnError(
      'CAIRN-PLUGIN-START',
      `cannot start ${command}`,
      { causes: [messageOf(thrown)] },
      thrown,
    );
  } finally {
    stop();
  }
}

function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}
