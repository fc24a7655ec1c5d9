import type { ArgSpec, CommandSpec } from '../../command-spec.js';
import { jsonFlag } from '../flags.js';

const sourceArg: ArgSpec = {
  name: 'source',
  summary:
    'NAME or NAME@VERSION of a provider, or the path of its executable, its folder or a schema (.json)',
  required: true,
};

const parametersArg: ArgSpec = {
  name: 'parameters',
  summary: 'What the plugin is told to become another package',
  required: false,
  repeat: true,
};

/** Typed packages, and schemas they are made from. */
export const packageCommands: readonly CommandSpec[] = [
  {
    path: ['package', 'add'],
    summary: 'Generate a typed SDK of a provider and add it to the project',
    args: [sourceArg, parametersArg],
    examples: [
      'cairn package add random@4.16.0',
      'cairn package add ./bin/pulumi-resource-shop',
      'cairn package add terraform-provider hashicorp/random 3.6.0',
    ],
    load: () => import('../packages.js').then(({ add }) => add),
  },
  {
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
    ],
    examples: [
      'cairn package gen-sdk ./schema.json --out build/shop',
      'cairn package gen-sdk ./schema.json --language python',
    ],
    load: () => import('../packages.js').then(({ genSdk }) => genSdk),
  },
  {
    path: ['package', 'get-schema'],
    summary: 'Print the schema of a package',
    args: [sourceArg, parametersArg],
    flags: [{ name: 'out', short: 'o', value: 'file', summary: 'Write it to this file' }],
    examples: ['cairn package get-schema random', 'cairn package get-schema random --out random.json'],
    load: () => import('../packages.js').then(({ getSchema }) => getSchema),
  },
  {
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
    examples: ['cairn package get-mapping terraform random'],
    load: () => import('../packages.js').then(({ getMapping }) => getMapping),
  },
  {
    path: ['package', 'info'],
    summary: 'Show what a package has',
    args: [sourceArg, parametersArg],
    flags: [{ name: 'resource', value: 'type', summary: 'Show the properties of this type' }, jsonFlag],
    examples: [
      'cairn package info random',
      'cairn package info random --resource random:index/randomPet:RandomPet',
    ],
    load: () => import('../packages.js').then(({ info }) => info),
  },
  {
    path: ['schema', 'check'],
    summary: 'Check the schema of a package',
    args: [{ name: 'file', summary: 'The schema, as JSON', required: true }],
    examples: ['cairn schema check ./schema.json'],
    load: () => import('../packages.js').then(({ check }) => check),
  },
];
