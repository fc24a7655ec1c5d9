import { command } from '../../command-spec.js';
import type { ArgSpec, CommandSpec } from '../../command-spec.js';
import type { FlagSpec } from '../../flags/flag-spec.js';
import { jsonFlag, yesFlag } from '../../flags/stack.js';

const reinstallFlag = {
  name: 'reinstall',
  summary: 'Install plugins again even if they are installed',
} as const;

const parallelFlag = {
  name: 'parallel',
  value: 'n',
  summary: 'Install this many plugins at once (default 4; 0: all of them)',
} as const satisfies FlagSpec;

const kindArg: ArgSpec = {
  name: 'kind',
  summary: 'Kind: analyzer, converter, language, resource or tool',
  required: false,
};

/** Commands for plugins in the cache that is shared with Pulumi. */
export const pluginCommands: readonly CommandSpec[] = [
  command({
    path: ['install'],
    summary: 'Install the plugins, generated packages and program dependencies of the project',
    flags: [
      { name: 'no-dependencies', summary: 'Do not install the dependencies of the program' },
      { name: 'no-plugins', summary: 'Do not install plugins' },
      reinstallFlag,
      parallelFlag,
      {
        name: 'use-language-version-tools',
        summary: 'Let a version manager install the language version that the project names',
      },
    ],
    examples: ['cairn install', 'cairn install --no-plugins'],
    load: () => import('../install.js').then(({ run }) => run),
  }),
  command({
    path: ['plugin', 'install'],
    summary: 'Install a plugin, or all plugins of the project',
    args: [
      {
        ...kindArg,
        summary: `${kindArg.summary}; or, as the only argument, an archive (path or URL) named like a plugin, or npm:PACKAGE`,
      },
      {
        name: 'name',
        summary:
          'Name of the plugin, NAME@VERSION, or a git address such as github.com/OWNER/REPOSITORY@1.0.0',
        required: false,
      },
      { name: 'version', summary: 'A version, not a range (default: the newest)', required: false },
    ],
    flags: [
      {
        name: 'server',
        value: 'url',
        summary:
          'Download from https://, github://HOST/OWNER[/REPOSITORY], gitlab://HOST/PROJECT or npm:PACKAGE',
      },
      { name: 'exact', summary: 'Install exactly this version' },
      {
        name: 'file',
        short: 'f',
        value: 'path',
        summary: 'Install from this .tar.gz, folder or executable instead of a download',
      },
      reinstallFlag,
      { name: 'checksum', value: 'sha256', summary: 'Require this SHA-256 of the archive, in hex' },
      parallelFlag,
    ],
    examples: [
      'cairn plugin install resource random 4.16.0',
      'cairn plugin install resource shop 1.0.0 --server https://plugins.example.com',
      'cairn plugin install resource shop 1.0.0 --file ./pulumi-resource-shop',
      'cairn plugin install',
    ],
    load: () => import('../plugins.js').then(({ install }) => install),
  }),
  command({
    path: ['plugin', 'ls'],
    aliases: ['list'],
    summary: 'List installed plugins',
    flags: [
      { name: 'project', short: 'p', summary: 'List only plugins of the project' },
      jsonFlag,
      { name: 'output', value: 'form', summary: 'Choose the output: default, or json' },
    ],
    examples: ['cairn plugin ls', 'cairn plugin ls --json'],
    load: () => import('../plugins.js').then(({ list }) => list),
  }),
  command({
    path: ['plugin', 'rm'],
    aliases: ['remove', 'delete'],
    summary: 'Remove installed plugins',
    args: [
      kindArg,
      { name: 'name', summary: 'Name of the plugins', required: false },
      { name: 'version', summary: 'Version of the plugins: one, or a range', required: false },
    ],
    flags: [{ name: 'all', short: 'a', summary: 'Remove all plugins' }, yesFlag],
    examples: ["cairn plugin rm resource random '<4.0.0'", 'cairn plugin rm --all --yes'],
    load: () => import('../plugins.js').then(({ remove }) => remove),
  }),
  command({
    path: ['plugin', 'run'],
    summary: 'Run a plugin, from its executable or its source code',
    args: [
      {
        name: 'plugin',
        summary:
          'NAME or NAME@VERSION, or the path of an executable, its folder, or a folder with a PulumiPlugin.yaml',
        required: true,
      },
      {
        name: 'args',
        summary: 'Arguments of the plugin; put its own flags after --',
        required: false,
        repeat: true,
      },
    ],
    flags: [{ name: 'kind', value: 'kind', summary: 'Run a plugin of this kind (default tool)' }],
    examples: ['cairn plugin run lister', 'cairn plugin run lister@1.2.0 -- --all'],
    load: () => import('../plugin-run.js').then(({ run }) => run),
  }),
];
