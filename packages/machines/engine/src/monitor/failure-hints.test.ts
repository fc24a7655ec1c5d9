import { hintFor } from './failure-hints.js';

test.each<[string, string | undefined]>([
  ['configuration value "p:n" is not a number', 'Set another value: `cairn config set p:n VALUE`.'],
  [
    'secret configuration value "p:n" is less than 3',
    'Set another value: `cairn config set --secret p:n` asks for it.',
  ],
  [
    'configuration value "p:pin" is not a number',
    'Set another value: `cairn config set --secret p:pin` asks for it.',
  ],
  [
    'cannot register a [x:y:Z]: a registration of 50000000 bytes is larger than the limit of 41943040 bytes',
    'Keep large content in a file, and pass its path or a FileAsset.',
  ],
  [
    'Error: 8 RESOURCE_EXHAUSTED: a registration of 50000000 bytes is larger than the limit of 41943040 bytes',
    'Keep large content in a file, and pass its path or a FileAsset.',
  ],
  ['configuration value "p:l" is not JSON', 'Set it part by part: `cairn config set --path p:l.NAME VALUE`.'],
  [
    'configuration value "p:pin" is not JSON',
    'Set it part by part: `cairn config set --secret --path p:pin.NAME` asks for each value.',
  ],
  ['configuration value "p:n" is not set; set it with: cairn config set p:n <value>', undefined],
  [
    "Configuration 'p:n' value 'x\ny' is not a valid number",
    'Set another value: `cairn config set p:n VALUE`.',
  ],
  [
    "Configuration 'p:pin' value '[' is not a valid JSON object",
    'Set it part by part: `cairn config set --secret --path p:pin.NAME` asks for each value.',
  ],
  [
    "Error: Cannot find package '@a/b' imported from /x/index.ts",
    'Run `npm install @a/b` in the folder of the program.',
  ],
  [
    "Cannot find package 'a/b' imported from /x/index.ts",
    'Run `npm install a` in the folder of the program.',
  ],
  ["Cannot find module 'left'", 'Run `npm install left` in the folder of the program.'],
  ["Error: Cannot find module './left.js'", 'Correct the path of the import: there is no such file.'],
  ["Cannot find module '/x/left.js'", 'Correct the path of the import: there is no such file.'],
  [
    'TypeError: Package import specifier "#x" is not defined in package /p',
    'Correct the import, or add "#x" to `imports` in package.json.',
  ],
  [
    'Package subpath \'./x\' is not defined by "exports"',
    'Import a name that the package exports. It does not export x.',
  ],
  ['No such built-in module: node:fss', 'Correct the import: Node has no module node:fss.'],
  ['TypeError: x is not a function', undefined],
  ['', undefined],
])('%s', (text, hint) => {
  expect(hintFor(text, ['p:pin'])).toBe(hint);
});
