import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { gitIn } from '../support/git.js';
import { giveStack } from '../support/given-stack.js';

/** The agent over a repository: commits are applied as the policy says, and time to live ends a stack. */

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

const once = async (): Promise<string> => {
  const effects = path.join(box.home, 'effects.log');
  expectOk(
    await box.process(['agent', '--once', '--config', '../agent/agent.yaml'], { env: { EFFECTS: effects } }),
  );
  return expectOk(await box.cairn(['agent', 'runs', '--config', '../agent/agent.yaml'])).stdout;
};

test('a commit is applied as the policy says, and the newest one wins', async () => {
  box = sandbox();
  giveStack(box);
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
`,
  );
  commit('one');
  expect(await once()).toMatch(/1 +dev +up +source +succeeded +1 create apply: rule "rule 1"/);
  commit('two');
  expect(await once()).toMatch(/2 +dev +up +source +waiting /);
  commit('three');
  const shown = await once();
  expect(shown).toMatch(/2 +dev +up +source +superseded +superseded by request/);
  expect(shown).toMatch(/3 +dev +up +source +waiting /);
});
