import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { archive } from '../support/archives.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { gitIn } from '../support/git.js';
import { giveStack } from '../support/given-stack.js';

/** The agent over a repository and an archive: commits and new versions are applied as the policy says. */

jest.setTimeout(300_000);

const program = (text: string): string => `
import { LocalCommand } from '@cairn/provider-local';
new LocalCommand('page', { create: 'echo ${text} >> "$EFFECTS"', update: 'echo ${text} >> "$EFFECTS"', delete: 'echo gone >> "$EFFECTS"' });
`;

let box: Sandbox;
afterAll(() => box.remove());

const git = (...words: readonly string[]): string => gitIn(box, ...words);

function commit(text: string): void {
  box.write('index.ts', program(text));
  git('add', 'index.ts', 'Cairn.yaml', 'Cairn.dev.yaml', 'package.json');
  git('commit', '--quiet', '--message', text);
}

const packedFile = (): string => path.resolve(box.directory, '..', 'agent', 'program.tar.gz');

/** Packs the program of the stack `packed`, where its source is. */
function pack(text: string): void {
  const read = (name: string): string => readFileSync(path.join(box.directory, name), 'utf8');
  const files = ['Cairn.yaml', 'Cairn.packed.yaml', 'package.json'].map(
    (name) => [name, read(name)] as const,
  );
  writeFileSync(packedFile(), archive({ ...Object.fromEntries(files), 'index.ts': program(text) }));
}

const once = async (): Promise<string> => {
  const effects = path.join(box.home, 'effects.log');
  expectOk(
    await box.process(['agent', '--once', '--config', '../agent/agent.yaml'], { env: { EFFECTS: effects } }),
  );
  return expectOk(await box.cairn(['agent', 'runs', '--config', '../agent/agent.yaml'])).stdout;
};

test('a commit or an archive is applied as the policy says, the newest one wins, and an approval expires', async () => {
  box = sandbox();
  giveStack(box);
  giveStack(box, 'packed');
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'uploadpack.allowFilter', 'true');
  box.write(
    '../agent/agent.yaml',
    `
state: state
environment: [CAIRN_CONFIG_PASSPHRASE, CAIRN_CODE_CACHE, GIT_CEILING_DIRECTORIES, EFFECTS]
stacks:
- stack: dev
  source: { git: "${pathToFileURL(box.directory).href}", branch: main, local: true, every: 1s }
  policy: { rules: [{ kinds: [create], then: apply }] }
- stack: packed
  source: { archive: "${pathToFileURL(packedFile()).href}", local: true, every: 1s }
  policy: { rules: [{ kinds: [create], then: apply }] }
`,
  );
  commit('one');
  pack('packed one');
  const first = await once();
  expect(first).toMatch(/\d +dev +up +source +succeeded +1 create apply: rule "rule 1"/);
  expect(first).toMatch(/\d +packed +up +source +succeeded +1 create apply: rule "rule 1"/);
  commit('two');
  expect(await once()).toMatch(/3 +dev +up +source +waiting /);
  commit('three');
  const shown = await once();
  expect(shown).toMatch(/3 +dev +up +source +superseded +superseded by request/);
  expect(shown).toMatch(/4 +dev +up +source +waiting /);
  const approve = async (run: string): Promise<void> =>
    void expectOk(await box.cairn(['agent', 'approve', run, '--config', '../agent/agent.yaml']));
  await approve('4');
  commit('four');
  pack('packed two');
  const moved = await once();
  expect(moved).toMatch(
    /4 +dev +up +source +expired +the commit has moved from [0-9a-f]{8} to [0-9a-f]{8}$/m,
  );
  const [, next = ''] = /(\d) +packed +up +source +waiting /.exec(moved) ?? [];
  await approve(next);
  pack('packed three');
  expect(await once()).toMatch(
    new RegExp(
      `${next} +packed +up +source +expired +the archive has moved from [0-9a-f]{8} to [0-9a-f]{8}$`,
      'm',
    ),
  );
  expect(readFileSync(path.join(box.home, 'effects.log'), 'utf8').split('\n').sort()).toEqual([
    ...['', 'one', 'packed one'],
  ]);
});
