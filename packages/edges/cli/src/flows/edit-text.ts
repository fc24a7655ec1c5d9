import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cairnError, isCairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { withoutOwnSecrets } from '@cairn/values/own-secrets';
import { confirm } from '../terminal/prompt.js';
import { errorText, reportStyle } from '../terminal/report.js';
import type { CommandContext } from '../command-context.js';
import { startChildProcess } from './start-process.js';

/**
 * A text for a person to edit. `name` is the file name for the editor. `take` returns its meaning, and throws a
 * `CairnError` if it has none.
 */
interface EditedText<T> {
  readonly name: string;
  readonly text: string;
  readonly take: (text: string) => T | Promise<T>;
}

/**
 * Lets a person edit a text with `$VISUAL` or `$EDITOR`. The file is readable only by them and is deleted afterwards.
 * If the text is invalid, they may edit it again. If they decline or there is no terminal, the error describes the
 * problem and the place where the text is kept. Throws CAIRN-USAGE if there is no editor, and CAIRN-CANCELLED if the
 * editor fails.
 */
export async function editText<T>(context: CommandContext, { name, text, take }: EditedText<T>): Promise<T> {
  const editor = editorOf(context);
  const directory = await mkdtemp(path.join(context.env['TMPDIR'] ?? tmpdir(), 'cairn-edit-'));
  const file = path.join(directory, name);
  let keep = false;
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
    for (;;) {
      await runEditor(context, editor, file);
      try {
        return await take(await readFile(file, 'utf8'));
      } catch (thrown) {
        if (!isCairnError(thrown)) throw thrown;
        keep = !(await editAgain(context, thrown));
        if (keep) throw withPlace(thrown, file);
      }
    }
  } finally {
    if (!keep) await rm(directory, { recursive: true, force: true });
  }
}

function editorOf({ env }: CommandContext): string {
  const editor = [env['VISUAL'], env['EDITOR']].find((each) => each !== undefined && each.trim() !== '');
  if (editor !== undefined) return editor;
  throw cairnError('CAIRN-USAGE', 'no editor is set', { hint: 'Set VISUAL or EDITOR, e.g. EDITOR=nano.' });
}

/** Runs the editor. The variable contains shell words, as for other tools. */
async function runEditor(context: CommandContext, editor: string, file: string): Promise<void> {
  const words = ['-c', `${editor} "$1"`, 'cairn', file];
  const env = withoutOwnSecrets(context.env) as NodeJS.ProcessEnv;
  const child = await startChildProcess('/bin/sh', words, { stdio: 'inherit', cwd: context.cwd, env });
  const how = await new Promise<number | string | null>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal)),
  );
  if (how !== 0)
    throw cairnError('CAIRN-CANCELLED', `nothing was changed: the editor ended with ${how}`, {
      causes: [editor],
    });
}

async function editAgain(context: CommandContext, wrong: CairnError): Promise<boolean> {
  if (!context.terminal.interactive) return false;
  context.stderr.write(errorText(wrong, reportStyle(context)));
  return confirm(context, 'Edit it again?');
}

function withPlace(wrong: CairnError, file: string): Error {
  const [first] = wrong.diagnostics;
  return cairnError('CAIRN-USAGE', `the edited state cannot be used: ${first?.summary ?? ''}`, {
    causes: [...(first?.causes ?? []), `the text is kept in ${file}`],
    hint: 'Nothing was changed. Correct the text and import it with `cairn stack import --file`, or remove the file, which only you can read.',
  });
}
