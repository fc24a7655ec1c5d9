import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { DoubtResolution } from '@cairn/engine';
import { importRequest, refuseWordsBesideList } from '@cairn/operations';
import type { OperationOptions, TypedImport } from '@cairn/operations';
import { parseDoubtId } from '@cairn/operations/stacks';
import { runOperationCommand, resolveTask, resumeChange, rollBackChange } from '../flows/operate.js';
import { optionsFromFlags } from '../flows/options.js';
import { readOutputsFile } from '../flows/outputs-file.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import type { ImportFlags, OperationFlags } from '../flags/operation.js';

export const up = operation('up', false);

export const preview = operation('up', true);

export const destroy = operation('destroy');

export const refresh = operation('refresh');

/** Returns a command that runs an operation on one stack or on several. `onlyPreview` wins over `--preview-only`. */
function operation(kind: 'up' | 'destroy' | 'refresh', onlyPreview?: boolean): Command<OperationFlags> {
  const run = (context: CommandContext, flags: OperationFlags): Promise<number> =>
    runOperationCommand(context, { kind, previewOnly: onlyPreview ?? flags.previewOnly === true, flags });
  return async ({ flags }, context) => {
    if ((flags.stacks ?? []).length === 0) return run(context, flags);
    const { onSeveral } = await import('../flows/several-stacks.js');
    return onSeveral(context, flags, kind, run);
  };
}

/** `import` */
export const importObjects: Command<ImportFlags> = async ({ args, flags }, context) => {
  const from = flags.from;
  if (from !== undefined) {
    const { converterOf, run: importConverted } = await import('./import-converted.js');
    if (converterOf(from) !== undefined) return importConverted({ args, flags }, context);
    const { run } = await import('./import-terraform.js');
    return run({ args, flags }, context);
  }
  if (flags.generateResources !== undefined)
    throw cairnError('CAIRN-USAGE', '--generate-resources needs --from', {
      hint: 'Leave it out: only a converter makes a list of resources.',
    });
  if (args.length > 3)
    throw cairnError('CAIRN-USAGE', 'an import takes a type, a name and an id', {
      hint: 'To import several resources, put them into a list and pass it with --file.',
    });
  const options = optionsFromFlags(flags);
  const imports = importRequest(await typedImport(context, args, flags, options), options);
  return runOperationCommand(context, { kind: 'import', previewOnly: flags.previewOnly, flags, imports });
};

/** Returns an import as it was typed, with the list that `--file` names. Nothing else may be given beside that list. */
async function typedImport(
  context: CommandContext,
  words: TypedImport['words'],
  flags: Texts<'file'>,
  options: OperationOptions,
): Promise<TypedImport> {
  const file = flags.file;
  if (file === undefined) return { words, list: undefined };
  refuseWordsBesideList(words, options);
  const list = await readFile(path.resolve(context.cwd, file), 'utf8').catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot read ${file}`, { causes: [messageOf(error)] }, error);
  });
  return { words, list, source: file };
}

export const resume: Command = ({ args, flags }, context) => resumeChange(context, flags, args[0]);

export const rollback: Command = ({ args, flags }, context) => rollBackChange(context, flags, args[0]);

/** `change resolve` */
export const resolve: Command<
  Texts<'created' | 'outputs'> & Switches<'done' | 'notCreated' | 'notDone'>
> = async ({ args, flags }, context) => {
  const key = parseDoubtId(args[0] ?? '');
  return resolveTask(context, flags, key, await answerOf(flags, key, context.cwd));
};

async function answerOf(
  flags: Texts<'created' | 'outputs'> & Switches<'done' | 'notCreated' | 'notDone'>,
  key: string,
  cwd: string,
): Promise<DoubtResolution> {
  const { created, notCreated, done, notDone } = flags;
  const [said, ...more] = [
    created !== undefined && 'created',
    notCreated && 'not-created',
    done && 'done',
    notDone && 'not-done',
  ].filter((answer) => answer !== false);
  if (said === undefined || more.length > 0)
    throw cairnError('CAIRN-USAGE', 'pass one of --created ID, --not-created, --done and --not-done', {
      hint: `Look for the object, then run, for example, \`cairn change resolve ${key} --not-created\`.`,
    });
  const file = flags.outputs;
  if (file !== undefined && (said === 'not-created' || said === 'not-done'))
    throw cairnError('CAIRN-USAGE', `--outputs cannot be used with --${said}`, {
      hint: 'Leave --outputs out: only an existing object has outputs.',
    });
  if (said === 'not-created' || said === 'not-done') return said;
  const outputs = file === undefined ? undefined : await readOutputsFile(file, cwd);
  return said === 'done' ? { done: true, outputs } : { created: created ?? '', outputs };
}
