import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { startServiceHere } from '../support/service-here.js';
import type { ServiceHere } from '../support/service-here.js';

const program = `
import { Config, output } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';

const region = new Config().get('region');
export const file = new LocalFile('note', { path: 'note.txt', content: region ?? 'none' }).path;
export const long = output(Array.from({ length: 12 }, (_, n) => 'line ' + n).join('\\n'));
`;

const URN = /urn:pulumi:dev::shop::[^ ]*::note/;

describe('flags and commands that Pulumi’s users type', () => {
  let box: Sandbox;
  let elsewhere: string;
  const run = (words: readonly string[], env: Record<string, string> = {}): Promise<Finished> =>
    box.cairn(words, { env });
  /** As scripts written for Pulumi see it. */
  const plain = (words: readonly string[]): Promise<Finished> => run(words, { CAIRN_EXIT_CODES: '' });
  const away = (words: readonly string[]): Promise<Finished> => box.cairn(words, { cwd: elsewhere });

  beforeAll(async () => {
    box = sandbox({ 'index.ts': program });
    elsewhere = path.join(box.home, 'elsewhere');
    mkdirSync(elsewhere, { recursive: true });
    expectOk(await run(['stack', 'init', 'dev']));
    expectOk(await run(['config', 'set', 'region', 'eu-west-1']));
    expectOk(await run(['up', '--skip-preview']));
  });
  afterAll(() => box.remove());

  test.each<[string, readonly string[], number, RegExp]>([
    ['a flag that is none', ['up', '--frobnicate'], 1, /unknown option '--frobnicate'/],
    ['a command that is none', ['frobnicate'], 1, /unknown command 'frobnicate'/],
    ['no such stack', ['stack', '-s', 'nowhere'], 6, /no stack named 'nowhere' found/],
    ['no such stack to select', ['stack', 'select', 'nowhere'], 6, /no stack named 'nowhere' found/],
    ['a stack that is there', ['stack', 'init', 'dev'], 1, /stack 'organization\/shop\/dev' already exists/],
    ['nobody to ask', ['up'], 2, /--yes or --skip-preview/],
    ['nobody to ask about a refresh', ['refresh'], 1, /--yes or --skip-preview/],
    ['nobody to ask about a stack that goes', ['stack', 'rm', 'dev'], 1, /--yes/],
    ['an organization that is none', ['stack', 'ls', '-o', 'acme'], 0, /no organization acme[^]*dev\*/],
    ['the service of new', ['new', '--ai', 'a bucket'], 1, /CAIRN-NOT-OFFERED[^]*no --ai/],
    ['configuration elsewhere', ['new', '--remote-stack-config'], 1, /no --remote-stack-config: the conf/],
    ['an extension', ['package', 'add', 'x', '--extension', 'a=b'], 1, /no --extension: schemas and code/],
    [
      'a version twice',
      ['package', 'gen-sdk', 'x@1.0.0', '--version', '2.0.0'],
      1,
      /--version cannot be used with/,
    ],
    ['a command of the service', ['org', 'get-default'], 1, /CAIRN-NOT-OFFERED[^]*no `cairn org`/],
    ['a flag of the service', ['up', '--neo'], 1, /CAIRN-NOT-OFFERED[^]*no --neo/],
    ['another flag of it', ['login', '--insecure'], 1, /CAIRN-NOT-OFFERED[^]*no --insecure/],
    ['spans to nowhere', ['up', '--tracing', 'pigeon:x'], 1, /--tracing cannot send spans to "pigeon:x"/],
    ['a collector that is not spoken to', ['up', '--otel-traces', 'grpc://c:4317'], 1, /HTTP[^]*4318/],
    [
      'a debugger at nothing',
      ['preview', '--attach-debugger=moon'],
      1,
      /does not take "moon"[^]*plugin:NAME/,
    ],
    ['a level that is none', ['-v', 'x', 'stack'], 1, /"x" for --verbose[^]*whole number from 0/],
    ['logs', ['logs', '-f'], 1, /CAIRN-NOT-OFFERED[^]*`cairn change --last up`/],
    ['a word of Terraform', ['plan', '-out=x'], 1, /`cairn preview`/],
  ])('%s: cairn %j', async (_title, words, code, text) => {
    const end = await plain(words);
    expect(end.text).toMatch(text);
    expect(end.code).toBe(code);
  });

  test.each([
    ['stack', 'rename', 'other'],
    ['stack', 'change-secrets-provider', 'passphrase'],
  ])('what changes the file of a stack too needs its project: %s %s', async (...words) => {
    const full = [...words, '--stack', 'organization/shop/dev'];
    const outside = await away(full);
    expect([outside.code, outside.text]).toEqual([2, expect.stringContaining('CAIRN-PROJECT-MISSING')]);
    writeFileSync(path.join(elsewhere, 'Cairn.yaml'), 'name: other\nruntime: nodejs\n');
    const another = await away(full);
    rmSync(path.join(elsewhere, 'Cairn.yaml'));
    expect(another.text).toContain('stack dev belongs to project shop, not to other');
    expect(expectOk(await run(['stack', 'ls'])).stdout).toContain('dev*');
  });

  test('no stack selected is another failure than no such stack', async () => {
    const other = sandbox({ 'index.ts': '' });
    const said = await other.cairn(['up', '--yes', '--stack', 'none'], { env: { CAIRN_EXIT_CODES: '' } });
    expect(said.code).toBe(6);
    const none = await other.cairn(['stack', 'output'], { env: { CAIRN_EXIT_CODES: '' } });
    expect(none.stderr).toContain('no stack selected');
    expect(none.code).toBe(1);
    const fine = await other.cairn(['stack', 'output'], { env: { CAIRN_EXIT_CODES: 'fine' } });
    expect(fine.code).toBe(6);
    const wrong = await other.cairn(['version-of-it'], { env: { CAIRN_EXIT_CODES: 'coarse' } });
    expect(wrong.stderr).toContain('CAIRN_EXIT_CODES');
    other.remove();
  });

  test('the looks of an operation', async () => {
    const shown = expectOk(
      await run(['preview', '--show-sames', '--urns', '--show-config', '--show-full-output', '-Q', '-e']),
    ).stdout;
    expect(shown).toContain('🔍 Previewing update (organization/shop/dev):');
    expect(shown).toMatch(URN);
    expect(shown).toMatch(/Configuration:\n +shop:region: eu-west-1/);
    const up = ['up', '--yes', '--skip-preview'];
    expect(expectOk(await run(up)).stdout).toMatch(/\(\d+ more lines\)/);
    expect(expectOk(await run([...up, '--show-full-output'])).stdout).toContain('line 11');
    expect(
      expectOk(await run([...up, '--suppress-outputs', '--suppress-permalink=false'])).stdout,
    ).not.toContain('line 1');
  });

  test('levels of messages', async () => {
    const log = ['-v=9', '--logtostderr', '--logflow'];
    expectOk(await run([...log, 'preview', '--non-interactive']));
    expect(expectOk(await run(['whoami', '-v'])).stdout).toContain('Backend URL');
    const file = path.join(box.directory, 'Cairn.yaml');
    expect(readFileSync(file, 'utf8')).toContain('name: shop');
  });

  test('secrets are not shown by --show-config', async () => {
    expectOk(await box.cairn(['config', 'set', '--secret', 'token'], { input: 'planted' }));
    const { text } = expectOk(await run(['preview', '--show-config']));
    expect(text).toContain('shop:token: [secret]');
    expect(text).not.toContain('planted');
    expectOk(await run(['config', 'rm', 'token']));
  });

  test('every flag has a variable, ours before theirs', async () => {
    const { stdout } = expectOk(
      await run(['preview'], { PULUMI_OPTION_SHOW_SAMES: 'true', CAIRN_OPTION_URNS: '1' }),
    );
    expect(stdout).toMatch(URN);
    const refused = await run(['preview'], { PULUMI_OPTION_NEO: 'true' });
    expect(refused.stderr).toContain('CAIRN-NOT-OFFERED');
  });

  test('a stack that is named in full needs no project', async () => {
    const named = ['--stack', 'organization/shop/dev'];
    expect(expectOk(await away(['stack', ...named])).stdout).toContain('Stack dev of project shop');
    expect(expectOk(await away(['stack', 'output', 'file', ...named])).stdout).toBe('note.txt\n');
    expect(JSON.parse(expectOk(await away(['stack', 'export', ...named])).stdout)).toHaveProperty(
      'deployment',
    );
    expect(expectOk(await away(['stack', 'history', ...named])).stdout).toContain('update succeeded');
    expect((await away(['stack'])).stderr).toContain('CAIRN-PROJECT-MISSING');
    expect((await away(['up', '--yes', ...named])).stderr).toContain('CAIRN-PROJECT-MISSING');
  });

  test('stacks by project and tag, unselected, and with the configuration of another', async () => {
    expectOk(await run(['stack', 'tag', 'set', 'owner', 'web']));
    expectOk(await run(['stack', 'init', 'copy', '--copy-config-from', 'dev', '--no-select']));
    expect(expectOk(await run(['config', 'get', 'region', '-s', 'copy'])).stdout).toBe('eu-west-1\n');
    const names = async (...words: string[]): Promise<readonly string[]> => {
      const listed = JSON.parse(expectOk(await run(['stack', 'ls', '--output', 'json', ...words])).stdout);
      return (listed as { name: string }[]).map(({ name }) => name);
    };
    expect(await names()).toEqual(['copy', 'dev']);
    expect(await names('--tag', 'owner=web')).toEqual(['dev']);
    expect(await names('--tag', 'owner=nobody')).toEqual([]);
    expect(await names('-p', 'other')).toEqual([]);
    expect(await names('-o', 'other')).toEqual(['copy', 'dev']);
    expect(await names('-Q')).toEqual(['organization/shop/copy', 'organization/shop/dev']);
    expect(expectOk(await run(['stack', 'unselect'])).stderr).toContain('Stack was unselected');
    expect((await run(['stack'])).stderr).toContain('no stack selected');
    expectOk(await run(['stack', 'select', 'dev']));
  });

  test('one resource of the state', async () => {
    const urns = expectOk(await run(['state', 'list', '**note'])).stdout.trim();
    expect(urns).toMatch(URN);
    expect(expectOk(await run(['state', 'ls'])).stdout.split('\n').length).toBeGreaterThan(2);
    expect(expectOk(await run(['state', 'get', 'note'])).stdout).toMatch(
      /^Type: .*\nURN: {2}urn:[^]*content: "eu-west-1"/,
    );
    const json = JSON.parse(expectOk(await run(['state', 'get', urns, '--output', 'json'])).stdout);
    expect(json).toMatchObject({ urn: urns, inputs: { content: 'eu-west-1' } });
    expect((await run(['state', 'get', 'nothing'])).stderr).toContain(
      'no resource identified by "nothing" found',
    );
  });

  test('line ends of a value are kept with --raw', async () => {
    expectOk(await box.cairn(['config', 'set', 'text', '--raw'], { input: 'a\n' }));
    expect(JSON.parse(expectOk(await run(['config', 'get', 'text', '--json'])).stdout)).toMatchObject({
      value: 'a\n',
    });
    expectOk(await run(['config', 'rm', 'text']));
    expect((await run(['config', '--open'])).stderr).toContain('CAIRN-NOT-OFFERED');
  });

  test('keys of --config as paths', async () => {
    expectOk(await run(['preview', '--config-path', '--config', 'tags.team=web']));
    expect(expectOk(await run(['config', 'get', '--path', 'tags.team'])).stdout).toBe('web\n');
    expectOk(await run(['config', 'rm', 'tags']));
  });

  test('what the project declares counts where the program runs', async () => {
    const file = path.join(box.directory, 'Cairn.yaml');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, `${before}config:\n  needed:\n    type: string\n`);
    try {
      expect((await run(['up', '--yes'])).stderr).toContain('CAIRN-CONFIG-MISSING');
      expectOk(await run(['up', '--yes', '--skip-config-validation']));
      expectOk(await run(['refresh', '--yes']));
      expectOk(await run(['destroy', '--preview-only']));
      expect((await run(['refresh', '--yes', '--run-program'])).stderr).toContain('CAIRN-CONFIG-MISSING');
      expect((await run(['destroy', '--preview-only', '--run-program'])).stderr).toContain(
        'CAIRN-CONFIG-MISSING',
      );
    } finally {
      writeFileSync(file, before);
    }
  });

  test('login by flag', async () => {
    const home = { CAIRN_BACKEND_URL: '', CAIRN_HOME: path.join(box.home, 'other') };
    const url = `file://${box.state}`;
    expect(expectOk(await run(['login', '--cloud-url', url], home)).stderr).toContain(`Logged in to ${url}`);
    expect((await run(['login', '--cloud-url', url, url], home)).stderr).toContain(
      'cannot be given together',
    );
    expect(expectOk(await run(['whoami', '--output', 'json'], home)).stdout).toContain(url);
    expect(expectOk(await run(['logout', '-c', url], home)).stderr).toContain(`Logged out of ${url}`);
  });

  test('destroy from elsewhere, with the configuration of the latest operation', async () => {
    const end = expectOk(await away(['destroy', '--yes', '-s', 'organization/shop/dev', '--remove']));
    expect(end.text).toContain('Removed stack dev');
  });
});

describe('watch', () => {
  const box = sandbox({ 'index.ts': 'export const said = 1;' });
  let service: ServiceHere;
  beforeAll(async () => {
    service = await startServiceHere(box);
  });
  afterAll(async () => {
    await service.stop();
    box.remove();
  });

  test('updates through a service when files change, goes on after a failure, and ends with an interrupt', async () => {
    const env = { CAIRN_BACKEND_URL: service.url, CAIRN_ACCESS_TOKEN: await service.token('writer') };
    expectOk(await box.cairn(['stack', 'init', 'dev'], { env }));
    const watching = box.start(['watch', '--suppress-outputs=false'], { env });
    await watching.shown('save a file to update');
    box.write('index.ts', 'export const said = 2;');
    await watching.shown(/index\.ts changed[^]*said *: 2[^]*Watching; save/);
    box.write('index.ts', 'throw new Error("broken program");');
    await watching.shown(/broken program[^]*Watching; save/);
    box.write('lib/a.ts', 'export const three = 3;');
    box.write('index.ts', 'import { three } from "./lib/a.js";\nexport const said = three;');
    await watching.shown(/said *: 3[^]*Watching; save/);
    watching.process.kill('SIGINT');
    const end = await watching.finished;
    expect(end.code).toBe(0);
    expect(expectOk(await box.cairn(['stack', 'output', 'said'], { env })).stdout).toBe('3\n');
    const paths = await box.cairn(['watch', '--path', 'nowhere'], { env });
    expect(paths.stderr).toMatch(/CAIRN-USAGE[^]*nowhere/);
  });
});
