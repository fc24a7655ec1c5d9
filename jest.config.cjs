const path = require('node:path');

/** One jest configuration for every package; each package runs it with --rootDir of its own. */
module.exports = {
  testEnvironment: 'node',
  runtime: require.resolve('./tools/jest/runtime.cjs'),
  // Shared by everything that runs tests, whatever folder it has for temporary files.
  cacheDirectory: path.join(__dirname, 'node_modules', '.cache', 'jest'),
  // Tests that start processes must not fail because the machine is busy.
  testTimeout: 60_000,
  testEnvironmentOptions: { customExportConditions: ['cairn-src', 'node', 'require', 'default'] },
  testMatch: ['src/**/', 'test/**/', 'command/', 'process/', 'checks/', 'tools/checks/', 'ci/', ''].map(
    (folder) => `<rootDir>/${folder}*.test.ts`,
  ),
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^fast-check$': require.resolve('./tools/jest/fast-check.cjs'),
  },
  moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
  extensionsToTreatAsEsm: [],
  modulePathIgnorePatterns: ['/dist/', '/\\.nx/', '/e2e/\\.scratch/'],
  transform: {
    '^.+\\.(ts|mts|mjs|js)$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  // ESM-only dependencies are transformed too; everything else in node_modules is loaded as it is.
  transformIgnorePatterns: [
    '/node_modules/(?!(log-update|string-width|ansi-regex|ansi-styles|ansi-escapes|strip-ansi|slice-ansi|wrap-ansi|get-east-asian-width|cli-cursor|restore-cursor|onetime|mimic-function|is-fullwidth-code-point|environment|@clack|fast-check|pure-rand|jose|oauth4webapi|openid-client)/)',
  ],
};
