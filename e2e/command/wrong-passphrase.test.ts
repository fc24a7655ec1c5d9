import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/**
 * Records that it runs, and declares a file and a command whose effects are files too: every effect of it or of a
 * provider is visible in the folder.
 */
const program = (content: string): string => `
import { appendFileSync } from 'node:fs';
import { LocalCommand, LocalFile } from '@cairn/provider-local';
appendFileSync('ran.txt', 'the program ran\\n');
new LocalFile('page', { path: 'page.txt', content: '${content}' });
new LocalCommand('note', { create: 'echo create >> note.txt', delete: 'echo delete >> note.txt' });
`;

/** Files that a command line changes when the passphrase is right. */
const COMMANDS: readonly { readonly words: readonly string[]; readonly changes: RegExp }[] = [
  { words: ['preview'], changes: /project\/ran\.txt/ },
  { words: ['preview', '--config', 'color=red'], changes: /project\/Cairn\.dev\.yaml/ },
  { words: ['up', '--yes'], changes: /project\/page\.txt/ },
  {
    words: ['up', '--yes', '--skip-preview', '--config', 'color=blue'],
    changes: /project\/Cairn\.dev\.yaml/,
  },
  { words: ['refresh', '--yes'], changes: /state\/\.pulumi\/stacks/ },
  { words: ['destroy', '--yes', '--run-program'], changes: /project\/note\.txt/ },
];

test('a wrong passphrase writes nothing and begins nothing', async () => {
  const box = sandbox({ 'index.ts': program('first') });
  try {
    expectOk(await box.cairn(['stack', 'init', 'dev']));
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    box.write('index.ts', program('second'));
    rmSync(path.join(box.directory, 'page.txt'));
    for (const { words, changes } of COMMANDS) {
      const before = filesOf(box);
      const refused = await box.cairn(words, { env: { CAIRN_CONFIG_PASSPHRASE: 'another one' } });
      expect([words, refused.code]).toEqual([words, 3]);
      expect(refused.stderr).toContain('error[CAIRN-PASSPHRASE-WRONG]');
      expect(changed(before, filesOf(box))).toEqual([]);
      expectOk(await box.cairn(words));
      expect(changed(before, filesOf(box)).join('\n')).toMatch(changes);
    }
  } finally {
    box.remove();
  }
});

/** Every file of the project, the store and the home with its content and when it was written; folders by name. */
function filesOf({ directory }: Sandbox): ReadonlyMap<string, string> {
  const base = path.dirname(directory);
  const names = readdirSync(base, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    names.map((name) => {
      const at = path.join(base, name);
      const stat = statSync(at, { bigint: true });
      return [name, stat.isFile() ? `${stat.mtimeNs} ${readFileSync(at, 'latin1')}` : 'folder'];
    }),
  );
}

/** Names that were added, removed or written between two looks. */
function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}
