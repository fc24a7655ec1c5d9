import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type ts from 'typescript';
import { EXIT, cairnError } from '@cairn/diagnostics';
import type { Command } from '../command-spec.js';
import type { Switches } from '../flags/flag-spec.js';
import { migrateManifest, migrateSource, programFiles, unifiedDiff } from '@cairn/language-node/migrate-sdk';
import type { MigratedSource } from '@cairn/language-node/migrate-sdk';
import { cairnVersion } from '../flows/version.js';

/** Converts the sources and the package.json of a program, and lists the changes left to a person. */
export const migrateSdk: Command<Switches<'preview'>> = async ({ args, flags }, context) => {
  const directory = path.resolve(context.cwd, args[0] ?? '.');
  const compiler = compilerOf(directory);
  const preview = flags.preview;
  let [changed, left] = [0, 0];
  let both = false;
  const files = await programFiles(directory);
  const isManifest = (file: string): boolean => path.basename(file) === 'package.json';
  for (const file of [...files.filter((each) => !isManifest(each)), ...files.filter(isManifest)]) {
    const shown = path.relative(directory, file);
    const before = await readFile(file, 'utf8');
    const { text, findings }: MigratedSource = isManifest(file)
      ? { text: migrateManifest(before, cairnVersion(), both), findings: [] }
      : migrateSource(compiler, file, before);
    both ||= text === before && findings.length > 0 && before.includes('@pulumi/pulumi');
    if (text !== before) {
      changed += 1;
      if (preview) context.stdout.write(unifiedDiff(shown, before, text));
      else await writeFile(file, text);
    }
    left += findings.length;
    for (const { line, why } of findings) context.stderr.write(`${shown}:${line}: ${why}\n`);
  }
  const counted = `${changed} ${changed === 1 ? 'file' : 'files'}`;
  const rest = left === 0 ? 'nothing is left to change by hand' : `${left} to change by hand, listed above`;
  context.stderr.write(`${counted} ${preview ? 'would change' : 'changed'}; ${rest}\n`);
  if (changed > 0 && !preview) context.stderr.write('Next: npm install, then cairn preview\n');
  return EXIT.ok;
};

/** Returns the program's own compiler, which reads the syntax of the program, or else the one beside this command. */
function compilerOf(directory: string): typeof ts {
  for (const from of [path.join(directory, 'noop.js'), import.meta.url]) {
    try {
      return createRequire(from)('typescript') as typeof ts;
    } catch {
      // The next place is tried.
    }
  }
  throw cairnError(
    'CAIRN-PROGRAM-LOAD',
    `cannot read the program in ${directory}: typescript is not installed there`,
    {
      hint: `Run \`npm install --save-dev typescript\` in ${directory}.`,
    },
  );
}
