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
  summary: 'Parameters that turn the plugin into another package',
  required: false,
  repeat: true,
};

/** Flags for the origin of a package's plugin, and for its parameters. */
const originFlags = [
  {
    name: 'server',
    value: 'url',
    summary: 'Record where `cairn plugin install` downloads the plugin from',
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
        summary: 'Generate code for this language (nodejs, python, go, …), outside a project or plugin',
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
    summary: 'Write a typed SDK of a provider to a folder',
    args: [sourceArg, parametersArg],
    flags: [
      {
        name: 'out',
        short: 'o',
        value: 'folder',
        summary: 'Write to this folder (default: sdks/NAME; with --language: a folder per language in sdk)',
      },
      {
        name: 'language',
        value: 'language',
        summary: 'Let the plugin of this language write the SDK (nodejs, python, go, …; all)',
      },
      { name: 'local', summary: 'Write an SDK for one program, not for publishing (with --language)' },
      {
        name: 'version',
        value: 'version',
        summary: 'Use this version of the plugin, instead of NAME@VERSION',
      },
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
    flags: [
      { name: 'out', short: 'o', value: 'file', summary: 'Write to this file instead of stdout' },
      ...originFlags,
    ],
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
        summary: 'Name of the provider in that ecosystem (default: the first that is mapped)',
        required: false,
      },
      parametersArg,
    ],
    flags: [
      { name: 'out', short: 'o', value: 'file', summary: 'Write to this file instead of stdout' },
      ...only(originFlags, ['server']),
    ],
    examples: ['cairn package get-mapping terraform random'],
    load: () => import('../packages.js').then(({ getMapping }) => getMapping),
  }),
  command({
    path: ['package', 'info'],
    summary: 'Show the resources and functions of a package',
    args: [sourceArg, parametersArg],
    flags: [
      {
        name: 'resource',
        short: 'r',
        value: 'type',
        summary: 'Show the properties of this type, by its token or, with --module, its name',
      },
      {
        name: 'function',
        short: 'f',
        value: 'token',
        summary: 'Show the inputs and outputs of this function, by its token or, with --module, its name',
      },
      { name: 'module', short: 'm', value: 'name', summary: 'Show only this module' },
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
        summary: 'Report references to missing types as warnings, not errors',
      },
      ...originFlags,
    ],
    examples: ['cairn schema check ./schema.json'],
    load: () => import('../packages.js').then(({ check }) => check),
  }),
];
