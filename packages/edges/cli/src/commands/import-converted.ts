import { access } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import { convertedList, importRequest, withConverter } from '@cairn/operations';
import { writeTextFile } from '@cairn/files';
import type { Command } from '../command-spec.js';
import { firstGiven } from '../flags/flag-spec.js';
import type { ImportFlags } from '../flags/operation.js';
import { tellProblems } from '../flows/convert-problems.js';
import { runOperationCommand } from '../flows/operate.js';
import { optionsFromFlags } from '../flows/options.js';
import { projectIfAny } from '@cairn/operations/packages';
import { portsOf } from '../flows/ports.js';
import type { CommandContext } from '../command-context.js';

const PREFIX = 'pulumi-converter-';

/**
 * Returns the converter in `--from`, given by its name or that of its executable. Returns undefined for states that
 * Cairn reads itself.
 */
export function converterOf(from: string): string | undefined {
  if (from.startsWith(PREFIX)) return from.slice(PREFIX.length);
  return from === 'terraform' ? undefined : from;
}

/** `import --from CONVERTER`: imports the resources that a converter finds in a state, like a list. */
export const run: Command<ImportFlags> = async ({ args, flags }, context) => {
  const name = converterOf(flags.from ?? '') ?? '';
  refuseSaid(flags, name);
  const words = args.filter((arg) => arg !== undefined);
  const list = await listOf(context, flags, name, words);
  const file = flags.generateResources;
  if (file !== undefined) await write(context, file, list);
  const source = `the list of the converter ${name}`;
  const imports = importRequest({ words: [], list, source }, optionsFromFlags(flags));
  let code: number = EXIT.internal;
  try {
    code = await runOperationCommand(context, {
      kind: 'import',
      previewOnly: flags.previewOnly,
      flags,
      imports,
    });
    return code;
  } finally {
    if (code !== EXIT.ok && file === undefined) await keep(context, list);
  }
};

/** Refuses flags that describe the import: the list describes it completely. */
function refuseSaid(flags: ImportFlags, name: string): void {
  const other = firstGiven(flags, ['file', 'parent', 'provider', 'map', 'properties']);
  if (other === undefined) return;
  throw cairnError('CAIRN-USAGE', `--${other} cannot be used with --from ${name}`, {
    hint: 'Leave --${other} out: the list of the converter describes the resources. To edit the list, write it to a file with --generate-resources FILE.',
  });
}

async function listOf(
  context: CommandContext,
  flags: ImportFlags,
  name: string,
  args: readonly string[],
): Promise<string> {
  const use = {
    name,
    project: await projectIfAny(context),
    programDirectory: context.cwd,
    mappings: new Map<string, Uint8Array>(),
    onMessage: ({ text }: { readonly text: string }) => void context.stderr.write(`${text}\n`),
  };
  return withConverter(portsOf(context, flags), use, async ({ converter, address }) => {
    const request = { args, loaderAddress: address, mapperAddress: address, resolverAddress: address };
    const converted = await converter?.convertState?.(request).catch((error: unknown) => {
      throw cairnError('CAIRN-PROVIDER-ANSWER', `the converter ${name} failed`, {
        causes: [messageOf(error)],
        hint: 'Correct the cause, or report it to the authors of the converter.',
      });
    });
    tellProblems(context, `the state cannot be converted from ${name}`, converted?.problems ?? []);
    return convertedList(converted?.resources ?? []);
  });
}

/** Keeps the list if it could not be imported. */
async function keep(context: CommandContext, list: string): Promise<void> {
  let file = 'cairn-import.json';
  for (let count = 2; await isThere(path.resolve(context.cwd, file)); count++)
    file = `cairn-import-${count}.json`;
  await write(context, file, list);
  context.stderr.write(`Edit it if needed, then run: cairn import --file ${file}\n`);
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Writes a list. Lists may contain secrets in clear, so only the user may read them. */
async function write(context: CommandContext, file: string, list: string): Promise<void> {
  await writeTextFile(path.resolve(context.cwd, file), list, { mode: 0o600 }).catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot write ${file}`, { causes: [messageOf(error)] }, error);
  });
  context.stderr.write(`Wrote the list of resources to ${file}\n`);
}
