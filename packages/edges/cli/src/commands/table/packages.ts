import { command } from '../../command-spec.js';
import type { ArgSpec, CommandSpec } from '../../command-spec.js';
import { only } from '../../flags/flag-spec.js';
import type { FlagSpec } from '../../flags/flag-spec.js';
import { jsonFlag } from '../../flags/stack.js';

const sourceArg: ArgSpec = {
  name: 'source',
  summary:
    'NAME or NAME@VERSION of a provider, github.com/OWNER/REPOSITORY[/FOLDER][@VERSION or @COMMIT] or another ' +
    'address in git, or the path of its executable, its folder or a schema (.json)',
  required: true,
};

const parametersArg: ArgSpec = {
  name: 'parameters',
  summary: 'What the plugin is told to become another package',
  required: false,
  repeat: true,
};

/** Flags for the origin of a package's plugin, and for its parameters. */
const originFlags = [
  {
    name: 'server',
    value: 'url',
    summary: 'Where the plugin may be downloaded from; `cairn plugin install` does so',
  },
  {
    name: 'extension',
    value: 'parameters',
    summary: '',
    refused: 'schemas and code are those of whole packages; a program registers extensions itself',
  },
] as const satisfies readonly FlagSpec[];

/** Commands for typed packages, and the schemas they are made from. */
export const packageCommands: readonly CommandSpec[] = [
  command({
    path: ['package', 'add'],
    summary: 'Generate a typed SDK of a provider and add it to the project',
    args: [sourceArg, parametersArg],
    flags: [
      ...originFlags,
      {
        name: 'language',
        value: 'language',
        summary: 'Outside a project or plugin: the language that the code is for (nodejs, python, go, …)',
      },
    ],
    examples: [
      'cairn package add random@4.16.0',
      'cairn package add ./bin/pulumi-resource-shop',
      'cairn package add github.com/acme/components/site@1.2.0',
      'cairn package add terraform-provider hashicorp/random 3.6.0',
    ],
    load: () => import('../packages.js').then(({ add }) => add),
  }),
  command({
    path: ['package', 'gen-sdk'],
    summary: 'Generate a typed SDK of a provider into a folder',
    args: [sourceArg, parametersArg],
    flags: [
      {
        name: 'out',
        short: 'o',
        value: 'folder',
        summary: 'Where to (default: sdks/NAME; with --language: sdk, and in it a folder for the language)',
      },
      {
        name: 'language',
        value: 'language',
        summary: 'Have the plugin of this language write it, for its own SDK (nodejs, python, go, …; all)',
      },
      { name: 'local', summary: 'With --language: for one program, not to be published' },
      { name: 'version', value: 'version', summary: 'Version of the plugin, in place of NAME@VERSION' },
      {
        name: 'overlays',
        value: 'folder',
        summary: '',
        refused: 'an SDK has what its schema has; wrap it in a package of your own',
      },
      ...originFlags,
    ],
    examples: [
      'cairn package gen-sdk ./schema.json --out build/shop',
      'cairn package gen-sdk ./schema.json --language python',
    ],
    load: () => import('../packages.js').then(({ genSdk }) => genSdk),
  }),
  command({
    path: ['package', 'get-schema'],
    summary: 'Print the schema of a package',
    args: [sourceArg, parametersArg],
    flags: [{ name: 'out', short: 'o', value: 'file', summary: 'Write it to this file' }, ...originFlags],
    examples: ['cairn package get-schema random', 'cairn package get-schema random --out random.json'],
    load: () => import('../packages.js').then(({ getSchema }) => getSchema),
  }),
  command({
    path: ['package', 'get-mapping'],
    summary: 'Print how names of another ecosystem map to a package',
    args: [
      { name: 'key', summary: 'The ecosystem, such as terraform', required: true },
      sourceArg,
      {
        name: 'provider',
        summary: 'Provider of that ecosystem (default: the first that is mapped)',
        required: false,
      },
      parametersArg,
    ],
    flags: [
      { name: 'out', short: 'o', value: 'file', summary: 'Write it to this file' },
      ...only(originFlags, ['server']),
    ],
    examples: ['cairn package get-mapping terraform random'],
    load: () => import('../packages.js').then(({ getMapping }) => getMapping),
  }),
  command({
    path: ['package', 'info'],
    summary: 'Show what a package has',
    args: [sourceArg, parametersArg],
    flags: [
      {
        name: 'resource',
        short: 'r',
        value: 'type',
        summary: 'Show the properties of this type; with --module its name is enough',
      },
      {
        name: 'function',
        short: 'f',
        value: 'token',
        summary: 'Show the inputs and outputs of this function; with --module its name is enough',
      },
      { name: 'module', short: 'm', value: 'name', summary: 'Only what this module has' },
      ...originFlags,
      jsonFlag,
    ],
    examples: [
      'cairn package info random',
      'cairn package info random --resource random:index/randomPet:RandomPet',
    ],
    load: () => import('../packages.js').then(({ info }) => info),
  }),
  command({
    path: ['schema', 'check'],
    summary: 'Check the schema of a package',
    args: [
      {
        name: 'source',
        summary:
          'The schema, as JSON; or a plugin: NAME, NAME@VERSION, or the path of its executable or folder',
        required: true,
      },
      parametersArg,
    ],
    flags: [
      {
        name: 'allow-dangling-references',
        summary: 'References to types that are not there are warnings, and no errors',
      },
      ...originFlags,
    ],
    examples: ['cairn schema check ./schema.json'],
    load: () => import('../packages.js').then(({ check }) => check),
  }),
];
