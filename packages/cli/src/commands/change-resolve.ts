import { cairnError } from '@cairn/diagnostics';
import type { Resolution } from '@cairn/engine';
import { parseDoubtId } from '../changes/change-id.js';
import { absentFlags } from '../session/absent-flags.js';
import { readOutputsFile } from '../session/outputs-file.js';
import { resolveTask } from '../session/operate.js';
import type { Command, Flags } from './command-spec.js';

export const run: Command = async ({ args, flags }, world) => {
  const key = parseDoubtId(args[0] ?? '');
  return resolveTask(world, absentFlags(flags), key, await answerOf(flags, key, world.cwd));
};

const ANSWERS = ['created', 'not-created', 'done', 'not-done'] as const;

async function answerOf(flags: Flags, key: string, cwd: string): Promise<Resolution> {
  const [said, ...more] = ANSWERS.filter((name) =>
    name === 'created' ? flags.text(name) !== undefined : flags.on(name),
  );
  if (said === undefined || more.length > 0)
    throw cairnError('CAIRN-USAGE', 'say one of --created ID, --not-created, --done and --not-done', {
      hint: `look for the object, then e.g. \`cairn change resolve ${key} --not-created\``,
    });
  const file = flags.text('outputs');
  if (file !== undefined && (said === 'not-created' || said === 'not-done'))
    throw cairnError('CAIRN-USAGE', `--outputs does not go with --${said}`, {
      hint: 'outputs are those of an object that is there',
    });
  if (said === 'not-created' || said === 'not-done') return said;
  const outputs = file === undefined ? undefined : await readOutputsFile(file, cwd);
  return said === 'done' ? { done: true, outputs } : { created: flags.text('created') ?? '', outputs };
}
