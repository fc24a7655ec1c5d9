import { EXIT, cairnError } from '@cairn/diagnostics';
import { migrateStack } from '@cairn/operations/rare';
import { isServiceUrl } from '@cairn/workspace';
import { isConfirmed } from '../flows/confirm.js';
import { portsOf } from '../flows/ports.js';
import { stackChoice } from '../flows/stack-choice.js';
import { confirm, needsAnswer } from '../terminal/prompt.js';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';

/** `stack migrate` */
export const run: Command<Switches<'force' | 'journals'> & Texts<'secretsProvider' | 'target'>> = async (
  { args: [url = '', named], flags },
  context,
) => {
  const agree = async (from: string, to: string): Promise<void> => {
    if (isConfirmed(context, flags)) return;
    if (!context.terminal.interactive)
      throw needsAnswer('this moves a stack and needs a confirmation', '--yes');
    const held = isServiceUrl(url) ? '' : ' The stack is locked where it is now.';
    if (!(await confirm(context, `Move ${from} to ${to}?${held}`)))
      throw cairnError('CAIRN-CANCELLED', 'nothing was moved');
  };
  const { project, stack } = await migrateStack(portsOf(context, flags), stackChoice(flags, named), url, {
    target: flags.target,
    secretsProvider: flags.secretsProvider,
    journals: flags.journals,
    force: flags.force,
    agree,
  });
  const held = isServiceUrl(url) ? 'it is unchanged' : 'it is unchanged and locked';
  context.stderr.write(`Moved stack ${stack} of project ${project}; where it was, ${held}\n`);
  return EXIT.ok;
};
