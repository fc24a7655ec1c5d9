import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';

/** Commands for programs of other languages and tools. */
export const convertCommands: readonly CommandSpec[] = [
  command({
    path: ['convert'],
    summary: 'Convert a program from another language or tool to TypeScript',
    args: [
      {
        name: 'args',
        summary: 'Arguments of the converter; put its own flags after --',
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
      { name: 'language', value: 'name', summary: 'Write the program in typescript, or pcl' },
      { name: 'out', value: 'directory', summary: 'Write to this directory (default: the current one)' },
      { name: 'name', value: 'name', summary: 'Name the project (default: name of this directory)' },
      {
        name: 'mappings',
        value: 'file',
        holds: 'list',
        summary: 'Use this file, which maps names of another ecosystem to a package',
      },
      { name: 'generate-only', summary: 'Only write the files, without installing dependencies' },
      { name: 'strict', summary: 'No effect: errors such as unknown variables always fail' },
    ],
    examples: [
      'cairn convert --from yaml --language typescript --out ../ts',
      'cairn convert --from terraform --language typescript --out ../ts',
    ],
    load: () => import('../convert.js').then(({ run }) => run),
  }),
];
