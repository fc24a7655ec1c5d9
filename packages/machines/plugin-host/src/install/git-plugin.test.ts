import { gitPlace, readGitSource } from './git-plugin.js';

/** Address and folder of the plugin of a source, and its record in the project file. */
test.each([
  ['github.com/acme/kit', 'github.com/acme/kit', undefined, 'github.com_acme_kit.git', ''],
  ['github.com/acme/kit@v1.2.0', 'github.com/acme/kit', 'v1.2.0', 'github.com_acme_kit.git', ''],
  ['github.com/acme/kit/site', 'github.com/acme/kit/site', undefined, 'github.com_acme_kit.git_site', 'site'],
  [
    'https://github.com/acme/kit/a/b@1.0.0',
    'github.com/acme/kit/a/b',
    '1.0.0',
    'github.com_acme_kit.git_a_b',
    'a/b',
  ],
  ['git://git.acme.dev/kit.git/a', 'git.acme.dev/kit.git/a', undefined, 'git.acme.dev_kit.git_a', 'a'],
  [
    'https://gitlab.com/acme/tools/kit.git/site@0a1b2c',
    'gitlab.com/acme/tools/kit.git/site',
    '0a1b2c',
    'gitlab.com_acme_tools_kit.git_site',
    'site',
  ],
  [
    'https://dev.azure.com/acme/shop/_git/kit',
    'dev.azure.com/acme/shop/_git/kit',
    undefined,
    'dev.azure.com_acme_shop__git_kit',
    '',
  ],
  [
    'gist.github.com/acme/0123456789abcdef',
    'gist.github.com/acme/0123456789abcdef',
    undefined,
    'gist.github.com_0123456789abcdef.git',
    '',
  ],
])('%s', (text, address, version, name, subdirectory) => {
  expect(readGitSource(text)).toEqual({ address, version });
  expect(gitPlace(`git://${address}`)).toEqual({ name, subdirectory });
});

test.each([
  ['https://ann:secret@github.com/acme/kit', 'cannot install a package from https://github.com/acme/kit'],
  ['http://github.com/acme/kit', 'cannot install a package from http://github.com/acme/kit'],
  ['ssh://git@github.com/acme/kit', 'cannot install a package from ssh://github.com/acme/kit'],
  ['file:///srv/kit.git', 'cannot install a package from file:///srv/kit.git'],
  ['git@github.com:acme/kit', 'cannot install a package from git@github.com:acme/kit'],
  ['https://github.com/acme/kit#main', 'is not the address'],
  ['github.com/acme', 'does not name a git repository'],
  ['github.com/acme/kit/../other', 'is not the address'],
])('%s is refused', (text, why) => {
  expect(() => readGitSource(text)).toThrow(why);
});
