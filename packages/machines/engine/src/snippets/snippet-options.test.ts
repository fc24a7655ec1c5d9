import { OWN_PATHS, SNIPPET_OPTION_NAMES } from './snippet-options.js';

test('what a snippet may say [SNIP-1]', () => {
  expect([...SNIPPET_OPTION_NAMES].sort()).toEqual([
    ...['additionalSecretOutputs', 'aliases', 'customTimeouts', 'deleteBeforeReplace', 'deletedWith'],
    ...['dependsOn', 'hideDiffs', 'ignoreChanges', 'import', 'parent', 'pluginDownloadURL', 'protect'],
    ...['provider', 'providers', 'replaceOnChanges', 'replaceWith', 'replacementTrigger'],
    ...['retainOnDelete', 'version'],
  ]);
});

test('which options name properties of the resource itself', () => {
  expect([...OWN_PATHS]).toEqual([
    'ignoreChanges',
    'replaceOnChanges',
    'hideDiffs',
    'additionalSecretOutputs',
  ]);
});
