import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { filesContaining } from '../support/search.js';

const program = (greeting: string): string => `
import { ComponentResource, Config, interpolate } from '@cairn/sdk';
import type { ComponentResourceOptions } from '@cairn/sdk';
import { LocalDirectory, LocalFile } from '@cairn/provider-local';
import { RandomPassword, RandomPet } from '@cairn/provider-random';

class Site extends ComponentResource {
  constructor(name: string, options?: ComponentResourceOptions) {
    super('shop:web:Site', name, {}, options);
    const folder = new LocalDirectory(\`\${name}-folder\`, { path: 'site' }, { parent: this });
    new LocalFile(\`\${name}-page\`, { path: 'site/index.html', content: interpolate\`${greeting} \${pet.result}\` }, { parent: this, dependsOn: [folder] });
    this.registerOutputs({ folder: folder.path });
  }
}

const config = new Config();
const pet = new RandomPet('pet', { length: 2 });
const password = new RandomPassword('password', { length: 24 });
new Site('front');

export const name = pet.result;
export const login = password.result;
export const fromConfig = config.requireSecret('planted');
`;

describe('the life of a stack', () => {
  const planted = 'planted-s3cret-value-41';
  let box: Sandbox;
  beforeAll(() => {
    box = sandbox({ 'index.ts': program('Hello') });
  });
  afterAll(() => box.remove());

  const page = (): string => readFileSync(path.join(box.directory, 'site', 'index.html'), 'utf8');

  test('a stack is created, selected and configured with a secret', async () => {
    giveStack(box);
    expectOk(await box.cairn(['config', 'set', '--secret', 'planted'], { input: planted }));
    const listed = expectOk(await box.cairn(['config']));
    expect(listed.stdout).toContain('[secret]');
    const shown = expectOk(await box.cairn(['config', 'get', 'planted']));
    expect(shown.stdout.trim()).toBe(planted);
  });

  test('preview says what up would do and does nothing', async () => {
    const preview = expectOk(await box.cairn(['preview', '--diff']));
    expect(preview.stdout).toContain('to create');
    expect(existsSync(path.join(box.directory, 'site'))).toBe(false);
  });

  test('up makes it so', async () => {
    const up = expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--message', 'first']));
    expect(up.stdout).toContain('created');
    expect(up.stdout).toContain('[secret]');
    expect(page()).toMatch(/^Hello \w+/);
  });

  test('a second up changes nothing', async () => {
    const up = expectOk(await box.cairn(['up', '--yes', '--expect-no-changes']));
    expect(up.stdout).toMatch(/\d+ unchanged/);
    expect(up.stdout).not.toMatch(/created|updated|deleted/);
  });

  test('outputs are printed bare, masked unless asked for', async () => {
    const name = expectOk(await box.cairn(['stack', 'output', 'name'])).stdout.trim();
    expect(page()).toBe(`Hello ${name}`);
    const masked = JSON.parse(expectOk(await box.cairn(['stack', 'output', '--json'])).stdout) as Record<
      string,
      string
    >;
    expect(masked['login']).toBe('[secret]');
    const clear = JSON.parse(
      expectOk(await box.cairn(['stack', 'output', '--json', '--show-secrets'])).stdout,
    ) as Record<string, string>;
    expect(clear['login']).toHaveLength(24);
    expect(clear['fromConfig']).toBe(planted);
  });

  test('a changed input updates in place and nothing else moves', async () => {
    box.write('index.ts', program('Goodbye'));
    const up = expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--diff']));
    expect(up.stdout).toMatch(/1 updated/);
    expect(up.stdout).not.toMatch(/created|replaced/);
    expect(page()).toMatch(/^Goodbye /);
  });

  test('refresh and destroy --preview-only show what they would do, and do nothing', async () => {
    const file = path.join(box.directory, 'site', 'index.html');
    const before = readFileSync(file, 'utf8');
    const state = expectOk(await box.cairn(['stack', 'export'])).stdout;
    writeFileSync(file, 'vandalised');
    const found = expectOk(await box.cairn(['refresh', '--preview-only']));
    expect(found.stdout).toMatch(/index/);
    const deleted = expectOk(await box.cairn(['destroy', '--preview-only', '--remove']));
    expect(deleted.stdout).toMatch(/delete/);
    for (const flag of ['--yes', '--skip-preview']) {
      const refused = await box.cairn(['destroy', '--preview-only', flag]);
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining(`${flag} and --preview-only cannot be used together`),
      ]);
    }
    expect(readFileSync(file, 'utf8')).toBe('vandalised');
    expect(expectOk(await box.cairn(['stack', 'export'])).stdout).toBe(state);
    writeFileSync(file, before);
  });

  test('refresh sees drift, up repairs it', async () => {
    writeFileSync(path.join(box.directory, 'site', 'index.html'), 'vandalised');
    const env = {
      GITLAB_CI: 'true',
      CI_PIPELINE_ID: '7',
      CAIRN_CI_ANNOTATIONS: '0',
      CAIRN_GIT_AUTHOR: 'Ann',
    };
    const refreshed = expectOk(await box.cairn(['refresh', '--yes', '--skip-preview'], { env }));
    expect(refreshed.stdout).toMatch(/Resources:\n {4}~ 1 updated {3}\d unchanged\n/);
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect(page()).toMatch(/^Goodbye /);
  });

  test('history lists the operations, newest first', async () => {
    const history = JSON.parse(expectOk(await box.cairn(['stack', 'history', '--json'])).stdout) as {
      kind: string;
      message: string;
      result: string;
      environment: object;
    }[];
    expect(history[0]).toMatchObject({ kind: 'update', result: 'succeeded' });
    expect(history.at(-1)).toMatchObject({ kind: 'update', message: 'first' });
    expect(history.find(({ kind }) => kind === 'refresh')).toMatchObject({
      environment: {
        'ci.system': 'GitLab CI/CD',
        'ci.build.id': '7',
        'git.author': 'Ann',
        'exec.kind': 'cli',
      },
      resourceChanges: { update: 1 },
    });
  });

  test('export gives a deployment document that import takes back', async () => {
    const text = expectOk(await box.cairn(['stack', 'export'])).stdout;
    const document = JSON.parse(text) as { version: number; deployment: { resources: { urn: string }[] } };
    expect(document.version).toBe(3);
    expect(document.deployment.resources[0]?.urn).toBeDefined();
    expectOk(await box.cairn(['stack', 'import'], { input: text }));
    expectOk(await box.cairn(['up', '--yes', '--expect-no-changes']));
  });

  test('events in JSON: one object a line, numbered, ending with the summary', async () => {
    const up = expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--json']));
    const events = up.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.some((event) => 'summaryEvent' in event)).toBe(true);
    expect(events.at(-1)).toHaveProperty('cancelEvent');
    const digest = JSON.parse(expectOk(await box.cairn(['preview', '--json'])).stdout) as {
      changeSummary: Record<string, number>;
    };
    expect(digest.changeSummary['same']).toBeGreaterThan(0);
  });

  test('destroy takes everything down', async () => {
    const destroy = expectOk(await box.cairn(['destroy', '--yes']));
    expect(destroy.stdout).toMatch(/deleted/);
    expect(existsSync(path.join(box.directory, 'site'))).toBe(false);
    const document = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as {
      deployment: { resources?: unknown[] };
    };
    expect(document.deployment.resources ?? []).toEqual([]);
  });

  test('the planted secret is in no file of the backend, the home or the project', () => {
    expect(filesContaining(path.dirname(box.directory), planted)).toEqual([]);
  });

  test('the stack is removed with its history and configuration', async () => {
    expectOk(await box.cairn(['stack', 'rm', '--yes', 'dev']));
    expect(JSON.parse(expectOk(await box.cairn(['stack', 'ls', '--json'])).stdout)).toEqual([]);
    expect(existsSync(path.join(box.directory, 'Cairn.dev.yaml'))).toBe(false);
  });
});
