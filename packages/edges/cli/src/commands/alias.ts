import { constants } from 'node:fs';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import { userOf } from '@cairn/operations/stacks';
import { homeDirectory } from '@cairn/workspace';
import type { Command } from '../command-spec.js';
import type { Switches } from '../flags/flag-spec.js';
import { ALIAS } from '../terminal/called-as.js';
import { packageDirectory } from '../flows/version.js';
import type { CommandContext } from '../command-context.js';

/** Line that identifies an executable written by Cairn. */
const MARK = '// Written by `cairn alias`: runs the command of Cairn under the name of the other tool.';

/** `alias` */
export const alias: Command<Switches<'force'>> = async ({ args, flags }, context) => {
  const directory = path.resolve(context.cwd, args[0] ?? path.join(homeDirectory(userOf(context)), 'bin'));
  const file = path.join(directory, ALIAS);
  const files = new Map([[file, script(path.join(packageDirectory(), 'bin', 'cairn.cjs'))]]);
  if (process.platform === 'win32') files.set(`${file}.cmd`, WINDOWS_START);
  if (!flags.force) for (const each of files.keys()) await refuseForeign(each);
  try {
    await mkdir(directory, { recursive: true });
    for (const [each, text] of files) await replace(each, text);
  } catch (error) {
    throw cairnError(
      'CAIRN-USAGE',
      `cannot write ${file}`,
      {
        causes: [messageOf(error)],
        hint: 'Name a directory that you may write to: `cairn alias DIRECTORY`.',
      },
      error,
    );
  }
  context.stdout.write(`${file}\n`);
  await tellOfPath(context, directory);
  return EXIT.ok;
};

/**
 * Returns the executable. Depending on the package around it, Node may load it as a module or as a script; both have
 * `import()`.
 */
function script(command: string): string {
  const missing = `error[CAIRN-ALIAS]: the Cairn that this command runs is gone from ${command}; write it again with: cairn alias DIRECTORY\n`;
  return [
    '#!/usr/bin/env node',
    MARK,
    `import(${JSON.stringify(pathToFileURL(command).href)}).catch((error) => {`,
    `  process.stderr.write(error.code === 'ERR_MODULE_NOT_FOUND' ? ${JSON.stringify(missing)} : \`\${error.stack}\\n\`);`,
    '  process.exitCode = 255;',
    '});',
    '',
  ].join('\n');
}

const WINDOWS_START = `@rem ${MARK}\r\n@node "%~dp0${ALIAS}" %*\r\n`;

/** Throws if there is a file that Cairn did not write. */
async function refuseForeign(file: string): Promise<void> {
  const text = await readFile(file, 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    return '';
  });
  if (text === undefined || text.includes(MARK)) return;
  throw cairnError('CAIRN-ALIAS', `${file} exists, and Cairn did not write it`, {
    hint: 'Name another directory, or replace it with --force.',
  });
}

/** Replaces an executable in one move, so that running copies are not disturbed. */
async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    await writeFile(draft, text, { mode: 0o755 });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Reports the command that the name finds on the path, if it is not the one just written. */
async function tellOfPath(context: CommandContext, directory: string): Promise<void> {
  const first = await onPath(context.env['PATH'] ?? '');
  if (first === directory) return;
  const found = first === undefined ? '' : ` ${ALIAS} on PATH is ${path.join(first, ALIAS)};`;
  context.stderr.write(
    `${found === '' ? '' : `warning:${found} `}to use this one: export PATH="${directory}:$PATH"\n`,
  );
}

/** Returns the first directory of a search path that has the executable. */
async function onPath(searchPath: string): Promise<string | undefined> {
  for (const directory of searchPath.split(path.delimiter).filter((each) => each !== '')) {
    const found = await access(path.join(directory, ALIAS), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return path.resolve(directory);
  }
  return undefined;
}
