import { basePath, consoleAddress, consolePath, pathBelow } from './console-address.js';

const NAME = { organization: 'acme', project: 'shop', stack: 'dev' };

test.each([
  [NAME, '', '/s/acme/shop/dev'],
  [NAME, 'runs/3', '/s/acme/shop/dev/runs/3'],
  [{ ...NAME, project: 'a/b', stack: 'é ?#' }, 'changes/1', '/s/acme/a%2Fb/%C3%A9%20%3F%23/changes/1'],
] as const)('the page of %j %s is at %s', (name, page, path) => {
  expect(consolePath(name, page)).toBe(path);
  for (const url of [
    'https://state.example.com',
    'https://state.example.com/',
    'https://state.example.com//',
  ])
    expect(consoleAddress(url, name, page)).toBe(`https://state.example.com${path}`);
  expect(consoleAddress('https://example.com/cairn/', name, page)).toBe(`https://example.com/cairn${path}`);
});

test.each([
  ['https://state.example.com', '', '/s/a', '/s/a'],
  ['https://state.example.com/', '', '/', '/'],
  ['https://example.com/cairn', '/cairn', '/cairn/s/a', '/s/a'],
  ['https://example.com/cairn/', '/cairn', '/cairn', '/'],
  ['https://example.com/a/cairn', '/a/cairn', '/a/cairn/', '/'],
  ['https://example.com/cairn', '/cairn', '/api/user', '/api/user'],
  ['https://example.com/cairn', '/cairn', '/cairnish/s/a', '/cairnish/s/a'],
])('the service at %s is below %j, where %s is %s', (url, base, path, below) => {
  expect(basePath(url)).toBe(base);
  expect(pathBelow(base, path)).toBe(below);
});
