import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { describeProgramError } from '../runtime/program-error.js';
import { entryFile } from '../runtime/entry.js';
import { isPolicyPack } from './policy.js';
import { servePack } from './serve.js';

// Main module of the process of a policy pack. Its last argument is the directory of the pack, in which it is started.
const directory = process.argv.at(-1) ?? '';
try {
  const module = (await import(pathToFileURL(entryFile(directory)).href)) as { default?: unknown };
  const inner = (module.default as { default?: unknown } | undefined)?.default;
  const pack = [module.default, inner].find(isPolicyPack);
  if (pack === undefined)
    throw new Error(
      `the default export of ${directory} is not a policy pack: export the result of policyPack`,
    );
  await servePack(pack);
} catch (error) {
  process.stderr.write(`${describeProgramError(error, directory)}\n`);
  process.exit(1);
}
