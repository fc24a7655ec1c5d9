import { EXIT, cairnError } from '@cairn/diagnostics';
import { getConfig, hasSecure, recryptConfig, saveStackFile, setConfig } from '@cairn/workspace';
import type { Config, ConfigTarget } from '@cairn/workspace';
import { configTarget, openStackFileOf, stackHere } from '@cairn/operations/stacks';
import type { OpenStackFile } from '@cairn/operations/stacks';
import type { Command } from './command-spec.js';
import { openStackFile } from '../session/open-stack.js';
import { stackChoice } from '../session/stack-choice.js';
import { portsOf } from '../session/ports.js';

export const run: Command = async ({ args, flags }, world) => {
  const [keyText] = args;
  const destination = flags.text('dest');
  if (destination === undefined)
    throw cairnError('CAIRN-USAGE', 'no destination was given', { hint: 'pass --dest <stack>' });
  const from = await openStackFile(world, flags);
  const name = stackHere(world, destination, from.project.name);
  if (name === from.stack) {
    throw cairnError('CAIRN-USAGE', `stack ${name} cannot be copied onto itself`, {
      hint: 'pass another stack as --dest',
    });
  }
  const { backendUrl, skipIntegrity } = stackChoice(flags);
  const to = await openStackFileOf(portsOf(world, flags), { backendUrl, skipIntegrity }, from.project, name);
  const target = keyText === undefined ? undefined : configTarget(keyText, from.project, flags.on('path'));
  await copy(
    from,
    to,
    target === undefined ? from.file.settings.config : only(from, target, keyText ?? ''),
    target,
  );
  return EXIT.ok;
};

/**
 * Puts values under the same keys of the other stack; secrets are encrypted anew with that stack's own secrets manager.
 */
async function copy(
  from: OpenStackFile,
  to: OpenStackFile,
  values: Config,
  target: ConfigTarget | undefined,
): Promise<void> {
  const secret = [...values.values()].some(hasSecure);
  const opened = secret ? await to.secrets() : undefined;
  const moved =
    opened === undefined ? values : recryptConfig(values, (await from.secrets()).crypter, opened.crypter);
  const file = opened?.file ?? to.file;
  let { config } = file.settings;
  for (const [key, tree] of moved) config = setConfig(config, target ?? { key, path: [] }, tree);
  await saveStackFile(file, { config });
}

/** The one value at a place, under its key. Throws CAIRN-CONFIG-MISSING when there is none. */
function only({ file, stack }: OpenStackFile, target: ConfigTarget, keyText: string): Config {
  const tree = getConfig(file.settings.config, target);
  if (tree !== undefined) return new Map([[target.key, tree]]);
  throw cairnError('CAIRN-CONFIG-MISSING', `configuration key ${keyText} is not set for stack ${stack}`, {
    source: { file: file.path },
    hint: 'list the keys with `cairn config`',
  });
}
