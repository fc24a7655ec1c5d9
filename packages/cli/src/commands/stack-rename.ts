import { readFile, rm, writeFile } from 'node:fs/promises';
import { checkStackName } from '@cairn/addresses';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { selectStack, selectedStack, stackFilePath } from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import { qualified, stackHere, userOf } from '@cairn/operations';
import { tell } from '../session/tell.js';
import type { CommandCode } from './command-spec.js';
import { withStack } from '../session/open-stack.js';

export const run: CommandCode['run'] = async ({ args: [given = ''], flags }, world) =>
  withStack(world, flags, async ({ project, backend, url, id }) => {
    const stack = checkStackName(stackHere(world, given, project.name));
    if (id.project !== project.name) {
      throw cairnError(
        'CAIRN-USAGE',
        `stack "${id.stack}" is one of project "${id.project}", not of "${project.name}"`,
        {
          hint: 'Run the command in the directory of its project, whose configuration file is renamed too.',
        },
      );
    }
    if (stack === id.stack) throw cairnError('CAIRN-USAGE', `the stack is named "${stack}" already`);
    const file = await copyConfig(project, id.stack, stack);
    tell(world, await backend.rename(id, { ...id, stack }));
    if (file !== undefined) await rm(file, { force: true });
    const user = userOf(world);
    const selected = await selectedStack(user, project, url, () => true);
    if (selected === qualified(id) || selected === id.stack)
      await selectStack(user, project, url, qualified({ ...id, stack }));
    world.stderr.write(`Renamed stack ${id.stack} to ${stack}\n`);
    world.stderr.write('Its history, backups, tags and changes have gone with it\n');
    return EXIT.ok;
  });

/**
 * The configuration under the new name, before the stack has it; the old file goes when the stack has. Resolves with
 * the old file; undefined when there is none. Throws CAIRN-STACK-EXISTS when another file has the name.
 */
async function copyConfig(project: Project, from: string, to: string): Promise<string | undefined> {
  const [old, target] = [stackFilePath(project, from), stackFilePath(project, to)];
  const text = await textOf(old);
  if (text === undefined) return undefined;
  const present = await textOf(target);
  if (present !== undefined && present !== text) {
    throw cairnError(
      'CAIRN-STACK-EXISTS',
      `there is a configuration file of the name that the stack would get`,
      {
        causes: [target],
        hint: 'Move that file away, or take another name.',
      },
    );
  }
  if (present === undefined) await writeFile(target, text, { flag: 'wx' });
  return old;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
