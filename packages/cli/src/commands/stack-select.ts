import { EXIT, cairnError } from '@cairn/diagnostics';
import { loadProject, selectStack } from '@cairn/workspace';
import { qualified, stackHere, userOf } from '@cairn/operations/stacks';
import { chooseOne, needsAnswer } from '../terminal/prompt.js';
import type { Command } from './command-spec.js';
import { withBackend } from '../session/open-stack.js';
import { createStack } from '../session/open-stack.js';

export const run: Command = async ({ args, flags }, world) => {
  const project = await loadProject(world.cwd);
  const given = args[0] ?? flags.text('stack');
  const missing = await withBackend(world, flags, project, async (backend, url) => {
    const stack = given === undefined ? await choose() : stackHere(world, given, project.name);
    const id = { project: project.name, stack };
    if (!(await backend.exists(id))) return stack;
    await selectStack(userOf(world), project, url, qualified(id));
    return undefined;

    async function choose(): Promise<string> {
      if (!world.terminal.interactive) throw needsAnswer('no stack named', 'the name of the stack');
      const stacks = await backend.list(project.name);
      const first = stacks[0];
      if (first === undefined) {
        throw cairnError('CAIRN-STACK-NOT-FOUND', 'this project has no stacks', {
          hint: 'create one with `cairn stack init dev`',
        });
      }
      const answer = await chooseOne(
        world,
        'Stack',
        stacks.map((row) => ({ value: row.stack, label: row.stack })),
        first.stack,
      );
      if (answer === undefined) throw cairnError('CAIRN-CANCELLED', 'no stack was selected');
      return answer;
    }
  });
  if (missing === undefined) return EXIT.ok;
  if (!flags.on('create')) {
    throw cairnError('CAIRN-STACK-NOT-FOUND', `there is no stack "${missing}" of project "${project.name}"`, {
      hint: `create it with \`cairn stack select --create ${missing}\``,
    });
  }
  await createStack(world, flags, missing, { select: true });
  world.stderr.write(`Created stack ${missing}\n`);
  return EXIT.ok;
};
