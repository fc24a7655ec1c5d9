import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FakeForge } from '@cairn/testkit/servers';
import type { FakeHook } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { giveDocker } from '../support/fake-docker.js';
import { gitIn } from '../support/git.js';
import { PageRun, readPage } from '../support/page-run.js';

jest.setTimeout(300_000);

const CONFIG = ['--config', 'pulls.yaml'];

/** Pull request of the page: its repository is the folder `shop`, and the forge is a fake one. */
class PullOfPage {
  readonly #box: Sandbox;
  readonly #forge: FakeForge;
  #agent: Running | undefined;
  #shown = '';
  #url = '';

  constructor(box: Sandbox, forge: FakeForge) {
    this.#box = box;
    this.#forge = forge;
  }

  /** Carries out a part of the page, and returns what it shows. */
  async part(name: string): Promise<string> {
    const comment = (): string => this.#forge.ownComments(1).join('\n---\n');
    if (name === 'comment') return comment();
    const before = this.#shown;
    await (name === 'opened' ? this.#open() : this.#merge());
    const command = `$ cairn agent ${CONFIG.join(' ')} --listen 127.0.0.1:7800\n`;
    return (
      (before === '' ? command : '') +
      this.#shown.slice(before.length).replace(this.#url, 'http://127.0.0.1:7800')
    );
  }

  async #open(): Promise<void> {
    this.#git('init', '--quiet', '--initial-branch=main');
    this.#git('config', 'uploadpack.allowFilter', 'true');
    this.#commit();
    this.#git('checkout', '--quiet', '--detach');
    this.#box.write('shop/index.ts', this.#program().replace("'hello'", "'good day'"));
    const head = this.#commit();
    this.#git('checkout', '--quiet', 'main');
    this.#git('update-ref', 'refs/pull/1/head', head);
    const pull = { head, base: 'main', isFork: false, author: 'bob', files: ['index.ts'] };
    this.#forge.pulls.set(1, { ...pull, state: 'open' });
    this.#agent = this.#box.start(['agent', ...CONFIG, '--listen', '127.0.0.1:0'], {
      env: { HUB_TOKEN: this.#forge.token, HUB_SECRET: this.#forge.secret },
    });
    this.#agent.process.stderr?.on('data', (text: string) => (this.#shown += text));
    await this.#agent.shown(/listening on http:\S+\n/);
    this.#url = /listening on (http:\S+)/.exec(this.#shown)?.[1] ?? '';
    await this.#post(this.#forge.pullHook(1));
    await this.#forge.until(() => this.#forge.statuses.some(({ state }) => state === 'success'));
  }

  async #merge(): Promise<void> {
    const { head = '', ...pull } = this.#forge.pulls.get(1) ?? {};
    this.#git('merge', '--quiet', head);
    this.#forge.pulls.set(1, { ...pull, head, state: 'merged', merge: head } as never);
    await this.#post(this.#forge.pullHook(1));
    await this.#forge.until(() =>
      this.#forge.ownComments(1).some((text) => text.includes('cairn approve 2')),
    );
    await this.#post(this.#forge.commentHook(1, 'ada', 'cairn approve 2'));
    await this.#agent?.shown('run 2 succeeded');
    expectOk(await this.#box.cairn(['agent', 'drain', ...CONFIG]));
    await this.#agent?.finished;
  }

  async #post({ headers, body }: FakeHook): Promise<void> {
    const answer = await fetch(`${this.#url}/forges/hub`, { method: 'POST', headers, body });
    expect(answer.status).toBe(202);
  }

  #program(): string {
    return readFileSync(path.join(this.#box.directory, 'shop', 'index.ts'), 'utf8');
  }

  #commit(): string {
    this.#git('add', 'index.ts', 'Cairn.yaml', 'Cairn.dev.yaml', 'package.json');
    this.#git('commit', '--quiet', '--message', 'change');
    return this.#git('rev-parse', 'HEAD');
  }

  #git(...words: readonly string[]): string {
    return gitIn(this.#box, '-C', 'shop', ...words);
  }

  end(): void {
    this.#agent?.process.kill('SIGKILL');
  }
}

test('what docs/agent.md shows is what happens', async () => {
  const box = sandbox({ 'package.json': '{}' }, { projectFile: false });
  const forge = await FakeForge.start('github');
  const pull = new PullOfPage(box, forge);
  try {
    const shop = pathToFileURL(path.join(box.directory, 'shop')).href;
    const page = readPage('agent.md', {
      'kind: github, repository': `kind: github, api: "${forge.api}", repository`,
      '"https://github.com/acme/shop.git", branch: main }': `"${shop}", branch: main, local: true }`,
    });
    expect(page.blocks.length).toBeGreaterThanOrEqual(17);
    const { env } = giveDocker(box);
    const options = { env: { DOCKER_HOST: env['DOCKER_HOST'] }, job: (name: string) => pull.part(name) };
    await new PageRun(box, options).carryOut(page);
  } finally {
    pull.end();
    await forge.stop();
    box.remove();
  }
});
