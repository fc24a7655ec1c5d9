import { chmod, mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { ProviderError, defineResource, s } from '@cairn/provider-sdk';
import { errorCode, ifThere, withFileErrors } from './failure.js';
import { describeMode, modeProperty, parseMode } from './mode.js';

const SHOWN_ENTRIES = 5;

const inputs = {
  path: s
    .string({ minLength: 1 })
    .replaceOnChange()
    .describe('Path of the directory, relative to the program.'),
  mode: modeProperty.default('0755').describe('Permissions, octal.'),
  force: s
    .boolean()
    .default(false)
    .describe('Delete it with everything in it. Otherwise, it is only deleted when it is empty.'),
};

/** A directory, created with its missing parents. The id is the path as given, and an import takes it. */
export const directoryResource = defineResource({
  description: 'A directory, created with its parents; deleted only when it is empty, unless `force` is set.',
  // Creating the same directory once more results in the same directory.
  idempotencyToken: true,
  compares: 'arguments',
  inputs,
  outputs: {
    path: s.string().describe('The path as given.'),
    mode: s.string().describe('Permissions, octal.'),
  },
  // A new directory at the same path must not be removed together with the old one.
  deleteBeforeReplace: true,

  create: async (given, { programDirectory }) => {
    const directory = path.resolve(programDirectory, given.path);
    await withFileErrors('make', directory, async () => {
      await mkdir(directory, { recursive: true });
      await chmod(directory, parseMode(given.mode));
    });
    return { id: given.path, outputs: { path: given.path, mode: given.mode } };
  },

  read: async (id, known, { programDirectory }) => {
    const given = known?.inputs.path ?? id;
    const directory = path.resolve(programDirectory, given);
    const found = await withFileErrors('read', directory, () => ifThere(() => stat(directory)));
    if (found?.isDirectory() !== true) return undefined;
    const mode = describeMode(found.mode, known?.inputs.mode);
    return {
      id,
      inputs: { path: given, mode, force: known?.inputs.force ?? false },
      outputs: { path: given, mode },
    };
  },

  update: async (_old, given, { programDirectory }) => {
    const directory = path.resolve(programDirectory, given.path);
    await withFileErrors('change the permissions of', directory, () =>
      chmod(directory, parseMode(given.mode)),
    );
    return { path: given.path, mode: given.mode };
  },

  delete: async ({ inputs: given }, { programDirectory }) => {
    const directory = path.resolve(programDirectory, given.path);
    if (given.force)
      await withFileErrors('delete', directory, () => rm(directory, { recursive: true, force: true }));
    else await deleteEmpty(directory);
  },
});

async function deleteEmpty(directory: string): Promise<void> {
  try {
    await ifThere(() => rmdir(directory));
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST')
      return withFileErrors('delete', directory, () => Promise.reject(error as Error));
    const entries = await readdir(directory);
    const named = entries.slice(0, SHOWN_ENTRIES).join(', ') + (entries.length > SHOWN_ENTRIES ? ', …' : '');
    throw new ProviderError(
      'FAILED_PRECONDITION',
      `cannot delete ${directory}: it is not empty (${named}); remove its content, or set force: true and run up first`,
    );
  }
}
