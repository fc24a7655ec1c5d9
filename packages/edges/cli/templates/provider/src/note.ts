import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ProviderError, defineResource, s } from '@cairn/provider-sdk';
import type { HandlerContext } from '@cairn/provider-sdk';

/** Inputs of a note. */
export const inputs = {
  title: s
    .string({ pattern: /^[a-z0-9-]+$/, maxLength: 40 })
    .autoname()
    .replaceOnChange()
    .describe('Names the file. Default: derived from the name of the resource.'),
  text: s.string().describe('Text of the note.'),
};

/** A note is a file in the folder that the configuration names. */
export const note = defineResource({
  description: 'A note, stored in a file.',
  inputs,
  outputs: { ...inputs, words: s.integer().describe('Number of words in it.') },
  // A second create with the same title and text results in the same file, and so do updates and deletes.
  idempotencyToken: true,
  repeatable: ['update', 'delete'],
  preview: ({ text }) => (text === undefined ? {} : { words: wordsOf(text) }),

  create: async (given, context) => {
    const file = fileOf(given.title, context);
    await mkdir(path.dirname(file), { recursive: true });
    const there = await contentOf(file);
    if (there !== undefined && there !== given.text)
      throw new ProviderError('ALREADY_EXISTS', `a note "${given.title}" already exists`);
    await writeWhole(file, given.text);
    return { id: given.title, outputs: { ...given, words: wordsOf(given.text) } };
  },

  read: async (id, _known, context) => {
    const text = await contentOf(fileOf(id, context));
    if (text === undefined) return undefined;
    const found = { title: id, text };
    return { id, inputs: found, outputs: { ...found, words: wordsOf(text) } };
  },

  update: async ({ id }, given, context) => {
    await writeWhole(fileOf(id, context), given.text);
    return { ...given, words: wordsOf(given.text) };
  },

  delete: async ({ id }, context) => rm(fileOf(id, context), { force: true }),
});

function fileOf(title: string, { config, programDirectory }: HandlerContext): string {
  return path.resolve(programDirectory, String(config['folder']), `${title}.txt`);
}

async function contentOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Writes a file as a whole: a process that is killed leaves the old or the new content, and nothing between them. */
async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

const wordsOf = (text: string): number => text.split(/\s+/).filter(Boolean).length;
