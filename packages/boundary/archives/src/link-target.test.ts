import { linkTarget } from './link-target.js';

type Row = readonly [what: string, path: string, links: Record<string, string>, target: string | undefined];

const ROWS: readonly Row[] = [
  ['a path without links', 'a/b', {}, 'a/b'],
  ['a link beside its target', 'tool', { tool: 'bin/tool' }, 'bin/tool'],
  ['a link to the folder itself', 'd/top', { 'd/top': '..' }, ''],
  ['a link that passes through another', 'x', { x: 'd/up/file', 'd/up': '..' }, 'file'],
  ['a link that leaves', 'up', { up: '..' }, undefined],
  ['links that leave together', 'out', { 'd/e/top': '../..', out: 'd/e/top/../file' }, undefined],
  ['a name that goes up after a link went deep', 'x', { deep: 'a/b/c', x: 'deep/../../file' }, 'a/file'],
  ['an absolute link', 'etc', { etc: '/etc' }, undefined],
  ['an absolute link of Windows', 'etc', { etc: 'C:\\etc' }, undefined],
  ['a link that leaves by backslashes', 'up', { up: '..\\file' }, undefined],
  ['a circle', 'a', { a: 'b', b: 'a' }, undefined],
];

test.each(ROWS)('%s', (_what, path, links, target) => {
  expect(linkTarget(path, new Map(Object.entries(links)))?.join('/')).toBe(target);
});
