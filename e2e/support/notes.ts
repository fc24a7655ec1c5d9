/** Provider on the provider SDK whose objects are files with a text and the name of who wrote it last. */
const PROVIDER = `
import { readFile, rm, writeFile } from 'node:fs/promises';
import { defineProvider, defineResource, s, toProvider } from '@cairn/provider-sdk';

const properties = { file: s.string().immutable(), text: s.string() };
const write = ({ file, text }) => writeFile(file, JSON.stringify({ text, by: 'cairn' }));
const note = defineResource({
  inputs: properties,
  outputs: properties,
  create: async (given) => (await write(given), { id: given.file, outputs: given }),
  read: async (file) => {
    const found = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
    const outputs = found && { file, text: found.text };
    return found && { id: file, inputs: outputs, outputs, changedBy: found.by };
  },
  update: async (old, given) => (await write(given), given),
  delete: ({ id }) => rm(id, { force: true }),
});
export default () => toProvider(defineProvider({ name: 'notes', version: '1.0.0', resources: { 'index:Note': note } }));
`;

/** Files of a project that can use notes. */
export const NOTES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    ...{ name: 'shop', private: true, type: 'module' },
    dependencies: { '@cairn/sdk': '*', '@cairn/provider-local': '*', notes: '*' },
  }),
  'node_modules/notes/package.json': JSON.stringify({
    ...{ name: 'notes', version: '1.0.0', type: 'module' },
    cairn: { provider: { name: 'notes', module: './provider.js' } },
  }),
  'node_modules/notes/provider.js': PROVIDER,
};

/** Text of the file of a note. */
export const noteText = (text: string, by: string): string => JSON.stringify({ text, by });
