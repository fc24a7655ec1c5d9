import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { floorRules, floors } from './tools/checks/floors.mjs';

/**
 * The floor plan: which package may import which. Imports point down only. `test files` may also use testkit.
 * Keep in step with the picture in docs/architecture.md.
 */
const ground = ['addresses', 'diagnostics', 'values'];
const floorPlan = {
  addresses: [],
  archives: [],
  diagnostics: ['addresses'],
  files: ['diagnostics', 'retries'],
  processes: ['diagnostics', 'retries'],
  protobuf: [],
  retries: ['diagnostics'],
  values: ['addresses'],
  wire: [...ground, 'protobuf'],
  tfplugin: [...ground, 'protobuf'],
  crypters: ['diagnostics', 'retries', 'values'],
  blobs: ['diagnostics', 'retries', 'files'],
  changes: ['diagnostics'],
  'changes-daemon': ['diagnostics', 'changes'],
  state: [...ground, 'crypters'],
  graphs: ['addresses', 'diagnostics', 'state'],
  workspace: [...ground, 'crypters', 'files'],
  'plugin-host': [...ground, 'archives', 'wire', 'processes', 'retries'],
  'tf-bridge': [...ground, 'archives', 'files', 'wire', 'processes', 'tfplugin'],
  backends: [...ground, 'state', 'changes', 'blobs', 'crypters'],
  pcl: ground,
  engine: [...ground, 'wire', 'crypters', 'state', 'changes', 'pcl'],
  sdk: [...ground, 'wire', 'processes'],
  'provider-sdk': [...ground, 'wire', 'sdk', 'retries', 'tfplugin'],
  codegen: [...ground, 'state', 'sdk', 'pcl'],
  'language-node': [...ground, 'wire', 'processes', 'codegen'],
  operations: [
    ...ground,
    ...['wire', 'crypters', 'state', 'changes', 'backends', 'plugin-host', 'workspace'],
    ...['language-node', 'engine', 'pcl', 'processes'],
  ],
  automation: [
    ...ground,
    ...[
      'operations',
      'engine',
      'state',
      'workspace',
      'sdk',
      'provider-random',
      'provider-local',
      'tf-bridge',
    ],
  ],
  'provider-random': ['provider-sdk', 'sdk'],
  'provider-local': ['provider-sdk', 'sdk', 'retries'],
  'provider-postgresql': ['provider-sdk', 'sdk', 'retries'],
  testkit: ['*'],
  cli: ['*'],
  e2e: ['*'],
  example: ['sdk', 'provider-random', 'provider-local', 'provider-postgresql'],
};

const tag = (name) => (name === '*' ? '*' : `pkg:${name}`);
const constraints = (extra) =>
  Object.entries(floorPlan).map(([name, allowed]) => ({
    sourceTag: tag(name),
    onlyDependOnLibsWithTags: [...allowed, ...extra].map(tag),
  }));

const boundaries = (extra) => [
  'error',
  {
    enforceBuildableLibDependency: false,
    allowCircularSelfDependency: true,
    // Program and plugin entry points are resolved by path at run time; that is not an import.
    checkDynamicDependenciesExceptions: ['.*'],
    depConstraints: constraints(extra),
  },
];

export default tseslint.config(
  { ignores: ['**/dist', '**/node_modules', '**/generated', '**/testdata', '**/.scratch', '.nx'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,mts,mjs,cjs,js}'],
    plugins: { '@nx': nx },
    rules: {
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      'no-fallthrough': 'error',
      'prefer-const': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportAllDeclaration[source.value=/^@cairn/]',
          message: 'A front door exports only its own package.',
        },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['packages/**/*.ts', 'e2e/**/*.ts', 'examples/**/*.ts'],
    plugins: { '@nx': nx },
    rules: { '@nx/enforce-module-boundaries': boundaries([]) },
  },
  {
    files: ['**/*.test.ts', '**/test/**/*.ts'],
    plugins: { '@nx': nx },
    rules: { '@nx/enforce-module-boundaries': boundaries(['testkit']) },
  },
  ...floorRules(floors),
  {
    files: ['tools/**', 'packages/cli/**', 'examples/**', 'e2e/**', '**/*.cjs', 'packages/*/bin/**'],
    rules: { 'no-console': 'off', '@typescript-eslint/no-require-imports': 'off' },
  },
);
