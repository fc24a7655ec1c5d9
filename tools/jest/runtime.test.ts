import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const FILES: Record<string, string> = {
  'counter.js': 'let count = 0; exports.next = () => ++count; exports.list = [];',
  'broken.js': 'exports.fail = () => { throw new Error("broken"); };',
  'a.test.js': "test('a', () => { expect(require('./counter').next()).toBe(1); });",
  'b.test.js': `
    test('b', () => {
      const counter = require('./counter');
      expect(counter.next()).toBe(1);
      expect(counter.list instanceof Array).toBe(true);
      expect(counter.list.constructor).toBe(Array);
    });`,
  'c.test.js': `
    test('the first line of a module has its columns', () => {
      let stack;
      try { require('./broken').fail(); } catch (error) { stack = error.stack; }
      expect(stack).toMatch(/broken\\.js:1:30/);
    });
    test('a module that does not compile is explained', () => {
      expect(() => require('./torn')).toThrow(/Unexpected/);
    });
    test('a file is read again when it was written again', () => {
      const { utimesSync, writeFileSync } = require('node:fs');
      const file = require.resolve('./told');
      expect(require('./told')).toBe(1);
      writeFileSync(file, 'module.exports = 2;');
      utimesSync(file, 1, 1);
      jest.resetModules();
      expect(require('./told')).toBe(2);
    });`,
  'told.js': 'module.exports = 1;',
  'torn.js': 'module.exports = (;',
};

test('test files share what was compiled, and no instance of a module', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-jest-'));
  try {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(folder, name), text);
    const config = {
      rootDir: folder,
      runtime: path.join(__dirname, 'runtime.cjs'),
      transform: {},
      cacheDirectory: path.join(folder, 'cache'),
    };
    const jest = path.join(
      path.dirname(createRequire(__filename).resolve('jest/package.json')),
      'bin',
      'jest.js',
    );
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [jest, '--config', JSON.stringify(config), '--runInBand', '--json'],
      { cwd: folder, encoding: 'utf8' },
    );
    const report = JSON.parse(stdout) as { numPassedTests: number };
    expect([report.numPassedTests, stderr]).toEqual([5, expect.stringContaining('5 passed')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
