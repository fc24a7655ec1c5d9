import { cairnError } from '@cairn/diagnostics';
import { parseDoubtId } from '../changes/change-id.js';
import { absentFlags } from '../session/absent-flags.js';
import { resolveTask } from '../session/resolve.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) => {
  const key = parseDoubtId(args[0] ?? '');
  const id = flags.text('created');
  const absent = flags.on('not-created');
  if ((id === undefined) === !absent)
    throw cairnError('CAIRN-USAGE', 'say either --created ID or --not-created', {
      hint: `look for the object, then e.g. \`cairn change resolve ${key} --not-created\``,
    });
  return resolveTask(world, absentFlags(flags), key, id === undefined ? 'not-created' : { created: id });
};
