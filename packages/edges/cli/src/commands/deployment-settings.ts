import type { SettingsMembers, ServedSettings } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import { readTextFile } from '@cairn/files';
import type { Json } from '@cairn/state';
import path from 'node:path';
import { stringify } from 'yaml';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches } from '../flags/flag-spec.js';
import type { FlagValues } from '../flags/flag-spec.js';
import type { deploymentEditFlags } from '../flags/deployment.js';
import type { StackFlags } from '../flags/operation.js';
import { isConfirmed, refuseUnconfirmed } from '../flows/confirm.js';
import { settingsPatch } from '../flows/settings-patch.js';
import { readSettingsFile } from '../flows/settings-file.js';
import { withServiceOfStack } from '../flows/service-tables.js';
import { printJson } from '../terminal/json-output.js';
import { visible } from '../terminal/controls.js';
import { confirm } from '../terminal/prompt.js';

function withSettings(
  context: CommandContext,
  flags: StackFlags,
  work: (settings: ServedSettings) => Promise<void>,
): Promise<number> {
  const needs = {
    what: 'deployment settings',
    hint: 'Log in to a state service whose agents follow them. Without one, `cairn agent` reads its own file.',
  };
  return withServiceOfStack(context, flags, needs, async (service, id) => work(await service.settings(id)));
}

/** `deployment settings get`: YAML, or JSON. Secrets are sealed. */
export const get: Command<Switches<'json'>> = ({ flags }, context) =>
  withSettings(context, flags, async (settings) => {
    const found = await settings.get();
    if (found === undefined)
      throw cairnError('CAIRN-USAGE', 'the stack has no deployment settings', {
        hint: 'Make them with `cairn deployment settings edit --file settings.yaml`.',
      });
    show(context, flags, found);
  });

/** `deployment settings edit`: what neither the file nor a flag names stays. */
export const edit: Command<FlagValues<typeof deploymentEditFlags>> = ({ flags }, context) =>
  withSettings(context, flags, async (settings) => {
    const file = flags.file === undefined ? {} : await fileOf(context, flags.file);
    const patch = settingsPatch(file, flags);
    if (Object.keys(patch).length === 0)
      throw cairnError('CAIRN-USAGE', 'cannot change the settings: nothing to change is given', {
        hint: 'Give --file, or a flag such as --git-url.',
      });
    show(context, flags, await settings.change(patch));
  });

/** `deployment settings destroy` */
export const destroy: Command = ({ flags }, context) => {
  refuseUnconfirmed(context, flags, 'this removes the deployment settings of the stack');
  return withSettings(context, flags, async (settings) => {
    if (!isConfirmed(context, flags) && !(await confirm(context, 'Remove the deployment settings?'))) return;
    await settings.remove();
    context.stderr.write('Removed the deployment settings\n');
  });
};

async function fileOf({ cwd }: CommandContext, name: string): Promise<SettingsMembers> {
  const file = path.resolve(cwd, name);
  const text = await readTextFile(file);
  if (text === undefined)
    throw cairnError('CAIRN-USAGE', `cannot read the settings: there is no ${file}`, {
      hint: 'Name a file in YAML or JSON with --file.',
    });
  return readSettingsFile(text, file);
}

function show(context: CommandContext, { json }: Switches<'json'>, settings: SettingsMembers): void {
  if (json) return printJson(context, settings as Json);
  const lines = stringify(settings).trimEnd().split('\n');
  context.stdout.write(`${lines.map((line) => visible(line)).join('\n')}\n`);
}
