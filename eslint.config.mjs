import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { floorRules, floors, packagePlan } from './tools/checks/floors.mjs';

const tag = (name) => (name === '*' ? '*' : `pkg:${name}`);
const constraints = (extra) =>
  Object.entries(packagePlan).map(([name, allowed]) => ({
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
  {
    ignores: [
      '**/dist',
      '**/dist-dev',
      '**/node_modules',
      '**/generated',
      '**/testdata',
      '**/.scratch',
      '.nx',
    ],
  },
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
    rules: { '@nx/enforce-module-boundaries': boundaries(['testkit', 'sdk']) },
  },
  ...floorRules(floors),
  {
    files: ['tools/**', 'packages/edges/cli/**', 'examples/**', 'e2e/**', '**/*.cjs', 'packages/*/*/bin/**'],
    rules: { 'no-console': 'off', '@typescript-eslint/no-require-imports': 'off' },
  },
);
