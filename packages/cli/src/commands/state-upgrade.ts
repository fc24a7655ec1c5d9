import { EXIT, cairnError } from '@cairn/diagnostics';
import { findProject, loadProject } from '@cairn/workspace';
import { upgradeBackend } from '@cairn/operations/stacks';
import { isConfirmed } from '../session/confirm.js';
import { tell } from '../session/tell.js';
import { askText, confirm, needsAnswer } from '../terminal/prompt.js';
import type { World } from '../world.js';
import type { Command } from './command-spec.js';
import { backendChoice } from '../session/open-stack.js';
import { portsOf } from '../session/ports.js';

export const run: Command = async ({ flags }, world) => {
  const project = (await findProject(world.cwd)) === undefined ? undefined : await loadProject(world.cwd);
  const choice = await backendChoice(world, flags, project);
  if (!isConfirmed(world, flags)) {
    if (!world.terminal.interactive) throw needsAnswer('this moves stacks and needs a confirmation', '--yes');
    const question = `Move the stacks of ${choice.url} into their projects? Older versions of other tools will not see them any more`;
    if (!(await confirm(world, question))) throw cairnError('CAIRN-CANCELLED', 'nothing was moved');
  }
  const { moved, warnings } = await upgradeBackend(portsOf(world, flags), choice, {
    projectOf: (stack) => askProject(world, stack),
    onStack: (done, all) => world.stderr.write(`${done} of ${all} stacks\n`),
  });
  tell(world, warnings);
  for (const { project: to, stack } of moved)
    world.stdout.write(`${stack} is now organization/${to}/${stack}\n`);
  if (moved.length + warnings.length === 0) world.stderr.write('There are no stacks of the old layout\n');
  return warnings.length === 0 ? EXIT.ok : EXIT.general;
};

/** Where nobody can be asked, a stack whose state names no project stays where it is. */
async function askProject(world: World, stack: string): Promise<string | undefined> {
  if (!world.terminal.interactive) return undefined;
  const answer = await askText(world, `Stack ${stack} has no resources. Its project (empty: leave it)`);
  return answer === undefined || answer === '' ? undefined : answer;
}
