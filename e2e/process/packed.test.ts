import { spawnSync } from 'node:child_process';
import path from 'node:path';

jest.setTimeout(600_000);

const repository = path.resolve(__dirname, '..', '..');

describe('as an npm user: packed, installed into an empty folder, run', () => {
  let said = '';
  beforeAll(() => {
    const run = spawnSync(process.execPath, [path.join(repository, 'tools', 'packed-examples.mjs')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    });
    said = run.stdout;
    if (run.status !== 0) said += `\nended with ${run.status ?? run.signal}\n${run.stderr}`;
  });

  test.each([
    ['every tarball holds what it should and nothing else', /^packed \d+ packages$/m],
    ['an install of each package for users has few packages and megabytes', /^installs within limits: 4$/m],
    ['the example on our SDK: up, nothing to do, export, destroy', /^example quickstart: ok$/m],
    ['the unmodified Pulumi program: up, nothing to do, export, destroy', /^example pulumi-program: ok$/m],
    ["the alias under Pulumi's Automation API: an inline program, up, destroy", /^alias: ok$/m],
    ['a new project: npm install, up, an output, destroy', /^new project: ok$/m],
    ['a new provider: its tests, provider test, published, used by a program', /^new provider: ok$/m],
    ['a new component: its tests, published, used in a program and as a remote one', /^new component: ok$/m],
    ['a test of a typed package with node:test', /^typed package tested with node:test: ok$/m],
    ['a test of a typed package with jest and ES modules', /^typed package tested with jest: ok$/m],
    ['a program that deploys with the library: its types, up, destroy', /^automation: ok$/m],
  ])('%s', (_name, line) => {
    expect(said).toMatch(line);
  });
});
