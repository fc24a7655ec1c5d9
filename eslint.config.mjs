import tseslint from 'typescript-eslint';
import { floorRules, floors, packagePlan, packageRules } from './tools/checks/floors.mjs';

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
        {
          selector:
            ':matches(PropertyDefinition[declare!=true], MethodDefinition[kind!="constructor"], TSParameterProperty)[accessibility="private"]',
          message: 'Private members are written #name.',
        },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  ...packageRules(packagePlan),
  ...floorRules(floors),
  {
    files: ['tools/**', 'packages/edges/cli/**', 'examples/**', 'e2e/**', '**/*.cjs', 'packages/*/*/bin/**'],
    rules: { 'no-console': 'off', '@typescript-eslint/no-require-imports': 'off' },
  },
);
