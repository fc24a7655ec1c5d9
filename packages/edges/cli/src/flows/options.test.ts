import { isCairnError } from '@cairn/diagnostics';
import type { OperationOptions } from '@cairn/operations';
import { parseCommandLine } from '../commands/parse.js';
import { commandTable } from '../commands/table.js';
import type { CommandContext } from '../command-context.js';
import { runOptionsOf, heedsProject, optionsFromFlags } from './options.js';

function flagsOf(line: string, env: Readonly<Record<string, string>> = {}) {
  const parsed = parseCommandLine(commandTable, line.split(' '), env);
  if (parsed.t !== 'command') throw new Error(parsed.text);
  return parsed.invocation.flags;
}

/** Returns the options that are on or have content. */
function given(line: string, env: Readonly<Record<string, string>> = {}): OperationOptions {
  const options = Object.entries(optionsFromFlags(flagsOf(line, env)));
  return Object.fromEntries(options.filter(([, value]) => value !== false && String(value) !== ''));
}

test.each<[string, OperationOptions]>([
  ['up', {}],
  ['up --target a -t b --target-dependents', { targets: ['a', 'b'], targetDependents: true }],
  ['preview --exclude a --exclude-dependents', { excludes: ['a'], excludeDependents: true }],
  ['up --replace a --target-replace b', { replace: ['a'], targetReplace: ['b'] }],
  ['destroy --exclude-protected --remove', { excludeProtected: true, remove: true }],
  ['refresh --run-program -p 3 -m why', { runProgram: true, parallel: 3, message: 'why' }],
  ['up --refresh --ignore-protect --typecheck', { refresh: true, ignoreProtect: true, typecheck: true }],
  ['up --on-error rollback --isolate component', { onError: 'rollback', isolate: 'component' }],
  ['up --continue-on-error --strict-providers', { continueOnError: true, strictProviders: true }],
  ['up --no-digests', { noDigests: true }],
  ['up --policy-pack p --policy-pack-config c', { policyPacks: ['p'], policyPackConfigs: ['c'] }],
  [
    'import t n i --parent p --provider q --properties a,b --out x',
    { parent: 'p', provider: 'q', properties: ['a,b'], out: 'x', protect: true, generateCode: true },
  ],
  ['resume -p 5 --on-error continue', { parallel: 5, onError: 'continue' }],
  ['rollback --yes', {}],
])('cairn %s', (line, expected) => expect(given(line)).toEqual(expected));

test('a variable of the environment stands for a flag', () =>
  expect(given('destroy', { PULUMI_OPTION_RUN_PROGRAM: '1' })).toEqual({ runProgram: true }));

test.each(['up --on-error never', 'resume --isolate stack'])('cairn %s is refused', (line) => {
  let thrown: unknown;
  try {
    given(line);
  } catch (error) {
    thrown = error;
  }
  expect(isCairnError(thrown) && thrown.diagnostics[0]?.code).toBe('CAIRN-USAGE');
});

test.each([
  ['up', true],
  ['destroy', true],
  ['resume', true],
  ['preview', false],
  ['refresh', false],
  ['rollback', false],
])("whether the project file's settings for errors count for cairn %s: %s", (line, counts) =>
  expect(heedsProject(flagsOf(line))).toBe(counts),
);

test.each([
  ['up', { preview: true, previewRollback: true, confirmed: false }],
  ['up --skip-preview --yes', { preview: false, previewRollback: true, confirmed: true }],
  ['up --json', { preview: false, previewRollback: false }],
  ['up --output json', { preview: false, previewRollback: false }],
  ['up --expect-no-changes --show-secrets', { expectNoChanges: true, showSecrets: true }],
  ['change resolve 7/3', { confirmed: false, showSecrets: false, expectNoChanges: false }],
])('how cairn %s is carried out', (line, expected) =>
  expect(runOptionsOf({ env: {} } as unknown as CommandContext, flagsOf(line))).toMatchObject(expected),
);
