import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import { jsonFlag } from '../../flags/stack.js';

/** Commands for people who write or choose providers. */
export const providerCommands: readonly CommandSpec[] = [
  command({
    path: ['provider', 'test'],
    summary: 'Test the promises of a provider on real objects',
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
        summary: 'Test with the values in this YAML or JSON file (default: provider-test.yaml)',
      },
      { name: 'init', summary: 'Write a file of values to start from, based on the schema of the provider' },
      {
        name: 'timeout',
        value: 'seconds',
        holds: 'count',
        summary: 'Limit each call to this many seconds (default 120)',
      },
      {
        name: 'cancel-timeout',
        value: 'seconds',
        holds: 'count',
        summary: 'Let a call run this many seconds after it is cancelled (default 10)',
      },
      { name: 'verbose', short: 'v', summary: 'Show the messages that the provider logs' },
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
