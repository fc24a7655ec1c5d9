import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';

/** Commands for programs of other languages and tools. */
export const convertCommands: readonly CommandSpec[] = [
  command({
    path: ['convert'],
    summary: 'Write a program of another language or tool in TypeScript',
    args: [
      {
        name: 'args',
        summary: 'What the converter is told; flags of its own stand behind --',
        required: false,
        repeat: true,
      },
    ],
    flags: [
      {
        name: 'from',
        value: 'name',
        summary:
          'What the program here is written in: yaml (default), terraform, … by converter plugins; pcl',
      },
      { name: 'language', value: 'name', summary: 'What to write it in: typescript, or pcl' },
      { name: 'out', value: 'directory', summary: 'Where to (default: here)' },
      { name: 'name', value: 'name', summary: 'Name of the project (default: name of this directory)' },
      {
        name: 'mappings',
        value: 'file',
        holds: 'list',
        summary: 'A file that maps names of another ecosystem to a package',
      },
      { name: 'generate-only', summary: 'Write the files only: no dependencies' },
      { name: 'strict', summary: 'Fail on errors such as unknown variables, which is done anyway' },
    ],
    examples: [
      'cairn convert --from yaml --language typescript --out ../ts',
      'cairn convert --from terraform --language typescript --out ../ts',
    ],
    load: () => import('../convert.js').then(({ run }) => run),
  }),
];
