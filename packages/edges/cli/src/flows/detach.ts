import { goStruct } from '@cairn/state';
import type { ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { StackId } from '@cairn/backends';
import { EXIT, cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import { homeDirectory } from '@cairn/workspace';
import type { StackFlags } from '../flags/operation.js';
import { startChildProcess } from './start-process.js';
import { printJson } from '../terminal/json-output.js';
import type { CommandContext } from '../command-context.js';
import { userOf } from '@cairn/operations/stacks';

/** Marks a process that was started in the background, and names the file that stores its output. */
const DETACHED_LOG = 'CAIRN_DETACHED_LOG';

/** Message that the background process sends once to its parent. */
interface Announcement {
  readonly change: string;
}

/**
 * Tells whether this command line will continue in the background. The background process itself does not detach again.
 */
export function wantsDetach(context: CommandContext, flags: StackFlags): boolean {
  if (context.env[DETACHED_LOG] !== undefined) return false;
  return flags.detach === true || flags.noWait === true;
}

/**
 * Starts this command line again as a process that outlives the terminal, and waits until its change has begun. Then it
 * prints the change's id alone on stdout [CLI-14]. If the process ends before that, its output is shown and its exit
 * code is returned. `answered` is true if the preview was already shown and confirmed.
 */
export async function detach(
  context: CommandContext,
  flags: StackFlags,
  id: StackId,
  options: { readonly answered: boolean },
): Promise<number> {
  const log = logFile(context, id);
  const output = openSync(log, 'wx', 0o600);
  // With `--strict`, the process must make its own preview again.
  const skips = flags.strict === true ? {} : { CAIRN_OPTION_SKIP_PREVIEW: 'true' };
  const answers = options.answered ? { CAIRN_OPTION_YES: 'true', ...skips } : {};
  const { command, words, directory } = context.self;
  const env = { ...context.env, ...answers, [DETACHED_LOG]: log, CAIRN_EXIT_CODES: 'fine' };
  const begun = await startChildProcess(command, words, {
    cwd: directory,
    env: env as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  })
    .catch((thrown: unknown) => {
      throw notStarted(thrown, log);
    })
    .finally(() => closeSync(output))
    .then(announced);
  if (typeof begun === 'number') {
    context.stderr.write(readFileSync(log, 'utf8'));
    return begun;
  }
  if (flags.json) printJson(context, goStruct({ change: begun.change, log }));
  else context.stdout.write(`${begun.change}\n`);
  return EXIT.ok;
}

/** Returns the announcement, or the exit code of a process that ended without one. */
function announced(child: ChildProcess): Promise<Announcement | number> {
  return new Promise((resolve) => {
    child.once('message', (message) => {
      child.disconnect();
      child.unref();
      resolve(message as Announcement);
    });
    child.once('exit', (code) => resolve(code ?? EXIT.general));
  });
}

function notStarted(thrown: unknown, log: string): Error {
  if (isCairnError(thrown)) return thrown;
  return cairnError('CAIRN-INTERNAL', 'cannot start a process in the background', {
    causes: [messageOf(thrown), `its output would be in ${log}`],
  });
}

/** Creates the path of a separate log below the home, named by time and process. Only the user may read it. */
function logFile(context: CommandContext, { project, stack }: StackId): string {
  const directory = path.join(homeDirectory(userOf(context)), 'logs', project, stack);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stamp = context.now().toISOString().replaceAll(/[:.]/g, '-');
  return path.join(directory, `${stamp}-${process.pid}.log`);
}

/** Returns the facts about the start of an operation that history stores. */
export function startEnvironment(
  context: CommandContext,
  flags: StackFlags,
): Readonly<Record<string, string>> {
  const log = context.env[DETACHED_LOG];
  const agent = flags.execAgent;
  return {
    'exec.kind': flags.execKind ?? 'cli',
    ...(agent === undefined ? {} : { 'exec.agent': agent }),
    ...(log === undefined ? {} : { 'cairn.log': log }),
  };
}
