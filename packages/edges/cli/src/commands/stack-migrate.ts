import { EXIT, cairnError } from '@cairn/diagnostics';
import { migrateStack } from '@cairn/operations/rare';
import { isConfirmed } from '../session/confirm.js';
import { portsOf } from '../session/ports.js';
import { stackChoice } from '../session/stack-choice.js';
import { confirm, needsAnswer } from '../terminal/prompt.js';
import type { Command } from '../command-spec.js';

/** `stack migrate` */
export const run: Command = async ({ args: [url = '', named], flags }, world) => {
  const agree = async (from: string, to: string): Promise<void> => {
    if (isConfirmed(world, flags)) return;
    if (!world.terminal.interactive)
      throw needsAnswer('this moves a stack and needs a confirmation', '--yes');
    if (!(await confirm(world, `Move ${from} to ${to}? Nothing can be done there any more.`)))
      throw cairnError('CAIRN-CANCELLED', 'nothing was moved');
  };
  const { project, stack } = await migrateStack(portsOf(world, flags), stackChoice(flags, named), url, {
    target: flags.text('target'),
    secretsProvider: flags.text('secrets-provider'),
    journals: flags.on('journals'),
    force: flags.on('force'),
    agree,
  });
  world.stderr.write(
    `Moved stack ${stack} of project ${project}; where it was, it stays as it is and is locked\n`,
  );
  return EXIT.ok;
};
