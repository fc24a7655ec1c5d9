import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import { jsonFlag } from '../../flags/stack.js';

/** Commands for people who write or choose providers. */
export const providerCommands: readonly CommandSpec[] = [
  command({
    path: ['provider', 'test'],
    summary: 'Hold a provider to what it promises, on real objects',
    args: [
      {
        name: 'provider',
        summary: 'Name of a package, a command pulumi-resource-NAME, or a path to one or to an npm package',
        required: true,
      },
    ],
    flags: [
      {
        name: 'file',
        short: 'f',
        value: 'path',
        summary: 'Values to try it with, YAML or JSON (default: provider-test.yaml)',
      },
      { name: 'init', summary: 'Write a file to start from, made of the schema of the provider' },
      {
        name: 'timeout',
        value: 'seconds',
        holds: 'count',
        summary: 'How long a call may take (default 120)',
      },
      {
        name: 'cancel-timeout',
        value: 'seconds',
        holds: 'count',
        summary: 'How long it may go on after it was cancelled (default 10)',
      },
      { name: 'verbose', short: 'v', summary: 'Show what the provider says to the user' },
      jsonFlag,
    ],
    examples: [
      'cairn provider test ./notebook --init',
      'cairn provider test ./notebook',
      'cairn provider test random --file random.yaml --json',
    ],
    load: () => import('../provider-test.js').then(({ run }) => run),
  }),
];
