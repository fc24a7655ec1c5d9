import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Returns files and folders of a box with their content, without random parts: salts, times and the box's own path. */
function filesOf(box: Sandbox): readonly (readonly [string, string | undefined])[] {
  const base = path.dirname(box.directory);
  return readdirSync(base, { recursive: true, withFileTypes: true })
    .map((entry): readonly [string, string | undefined] => {
      const file = path.join(entry.parentPath, entry.name);
      const text = entry.isFile() ? readFileSync(file, 'utf8') : undefined;
      return [
        path.relative(base, file).replace(/[0-9a-f]{40}/, 'HASH'),
        text
          ?.replaceAll(base, 'BASE')
          .replace(/v1:[\w+/=]+:v1:[\w+/=]+:[\w+/=]+/, 'SALT')
          .replace(/\d{4}-[\d-]+T[\d:.]+Z/, 'TIME')
          .replace(/"magic":"\w+"/, 'MAGIC'),
      ];
    })
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

test.each([
  ['Cairn.yaml', 'dev'],
  ['Pulumi.yaml', 'prod'],
])('a stack that tests are given is the one that the command makes: %s, %s', async (file, stack) => {
  const files = {
    [file]: 'name: garden\nruntime: nodejs\nmain: index.ts\n',
    'index.ts': 'export const a = 1;\n',
  };
  const [given, made] = [sandbox(files), sandbox(files)];
  try {
    giveStack(given, stack);
    expectOk(await made.cairn(['stack', 'init', stack]));
    expect(filesOf(given)).toEqual(filesOf(made));
    const up = ['up', '--yes', '--skip-preview'];
    expect(expectOk(await given.cairn(up)).stdout).toContain('a');
    expectOk(await given.cairn(['config', 'set', '--secret', 'key', 'value']));
    expect(expectOk(await given.cairn(['config', 'get', 'key'])).stdout).toBe('value\n');
  } finally {
    given.remove();
    made.remove();
  }
});
