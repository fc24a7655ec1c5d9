import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { startServiceHere } from '../support/service-here.js';
import type { ServiceHere } from '../support/service-here.js';

const program = (content: string): string => `
import * as cairn from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';
const config = new cairn.Config();
const group = new cairn.ComponentResource('shop:index:Group', 'group');
const file = new LocalFile('file', { path: 'out.txt', content: ${JSON.stringify(content)} }, { parent: group });
new LocalFile('copy', { path: 'copy.txt', content: file.path }, { dependsOn: [file] });
export const content = ${JSON.stringify(content)};
export const key = config.requireSecret('key');
`;

let box: Sandbox;
let service: ServiceHere;

beforeEach(async () => {
  box = sandbox({ 'index.ts': program('one') });
  service = await startServiceHere(box);
  box.env['CAIRN_ACCESS_TOKEN'] = await service.token('writer');
});
afterEach(async () => {
  await service.stop();
  box.remove();
});

const here = (...words: readonly string[]): Promise<Finished> => box.cairn(words);
const there = (...words: readonly string[]): Promise<Finished> =>
  box.cairn(words, { env: { CAIRN_BACKEND_URL: service.url } });

/** Returns the addresses that an operation has printed. */
function linksIn({ text }: Finished): readonly string[] {
  return [...text.matchAll(/^View Live: (.*)$/gm)].map(([, address = '']) => address);
}

/** Returns the resources of an exported state without times and random texts. */
function resourcesIn(exported: Finished): unknown {
  const { deployment } = JSON.parse(expectOk(exported).stdout) as { deployment: { resources: object[] } };
  const text = JSON.stringify(deployment.resources)
    .replace(/"(created|modified)":"[^"]*"/g, '"$1":"T"')
    .replace(/"ciphertext":"[^"]*"/g, '"ciphertext":"C"')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID');
  return (JSON.parse(text) as { urn: string }[]).sort((a, b) => (a.urn < b.urn ? -1 : 1));
}

test('operations through the service leave the states that they leave in a bucket', async () => {
  for (const cairn of [here, there]) {
    box.write('index.ts', program('one'));
    expectOk(await cairn('stack', 'init', 'dev', '--secrets-provider', 'passphrase'));
    expectOk(await cairn('config', 'set', '--secret', 'key', 'planted'));
    const first = expectOk(await cairn('up', '--yes'));
    expect(first.stdout).toContain('4 created');
    const pages = `${service.url}/s/organization/shop/dev`;
    expect(linksIn(first)).toEqual(cairn === here ? [] : [`${pages}/changes/1`]);
    box.write('index.ts', program('two'));
    const shown = expectOk(await cairn('preview'));
    expect(shown.stdout).toMatch(/to (replace|update)/);
    expect(linksIn(shown)).toEqual(
      cairn === here ? [] : [expect.stringMatching(`^${pages}/previews/[0-9a-f-]+$`)],
    );
    expect(linksIn(expectOk(await cairn('preview', '--suppress-permalink')))).toEqual([]);
    const digest = JSON.parse(expectOk(await cairn('preview', '--json')).stdout) as object;
    expect('cairn' in digest).toBe(cairn === there);
    box.env['CAIRN_ENABLE_STREAMING_JSON_PREVIEW'] = 'true';
    const streamed = expectOk(await cairn('preview', '--json'))
      .stdout.trim()
      .split('\n');
    delete box.env['CAIRN_ENABLE_STREAMING_JSON_PREVIEW'];
    const { cancelEvent } = JSON.parse(streamed.at(-1) ?? '') as { readonly cancelEvent: object };
    const page = expect.stringMatching(`^${pages}/previews/[0-9a-f-]+$`) as string;
    expect(cancelEvent).toEqual(cairn === here ? {} : { cairn: { page } });
    const line = JSON.parse(expectOk(await cairn('up', '--yes', '--output', 'json')).stdout) as object;
    expect(line).toMatchObject(cairn === here ? {} : { cairn: { page: `${pages}/changes/2` } });
    const events = expectOk(await cairn('refresh', '--yes', '--json')).stdout;
    expect(events.includes(`"cairn":{"page":"${pages}/changes/3"}`)).toBe(cairn === there);
    expect(expectOk(await cairn('preview', '--expect-no-changes')).stdout).toContain('unchanged');
    expect(JSON.parse(expectOk(await cairn('stack', 'output', '--json', '--show-secrets')).stdout)).toEqual({
      content: 'two',
      key: 'planted',
    });
    if (cairn === here) expectOk(await cairn('stack', 'export', '--file', path.join(box.home, 'here.json')));
  }
  const kept = readFileSync(path.join(box.home, 'here.json'), 'utf8');
  const sent = await there('stack', 'export');
  expect(resourcesIn(sent)).toEqual(resourcesIn({ ...sent, stdout: kept }));
  expect(sent.stdout).not.toContain('planted');
  const history = expectOk(await there('stack', 'history')).stdout;
  expect(history.match(/^\d+: \w+/gm)).toEqual(['3: refresh', '2: update', '1: update']);
  expect(history).toContain('create 4');
  expect(expectOk(await there('destroy', '--yes')).stdout).toContain('4 deleted');
});

/** Server before the service at which clients get no journal. `count` is the number of checkpoints that it has seen. */
async function withoutJournals() {
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: route = '/', headers } = incoming;
    const { authorization = '', 'content-type': type = '', 'content-encoding': packed } = headers;
    if (route.endsWith('/checkpoint')) count += 1;
    buffer(incoming)
      .then(async (sent) => {
        const asked = sent.toString('latin1').replace('"journalVersion":1', '"journalVersion":0');
        const answer = await fetch(service.url + route, {
          method,
          headers: { authorization, 'content-type': type, ...(packed && { 'content-encoding': packed }) },
          ...(sent.length > 0 && { body: Buffer.from(asked, 'latin1') }),
        });
        outgoing.writeHead(answer.status, { 'content-type': 'application/json' });
        outgoing.end(Buffer.from(await answer.arrayBuffer()));
      })
      .catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, count: () => count };
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

test('full checkpoints give the state that the journal gives', async () => {
  const plain = await withoutJournals();
  const states: unknown[] = [];
  for (const url of [service.url, plain.url]) {
    const cairn = (...words: readonly string[]) => box.cairn(words, { env: { CAIRN_BACKEND_URL: url } });
    box.write('index.ts', program('one'));
    expectOk(await cairn('stack', 'init', 'dev'));
    expectOk(await cairn('config', 'set', '--secret', 'key', 'planted'));
    expectOk(await cairn('up', '--yes', '--skip-preview'));
    const first = resourcesIn(await cairn('stack', 'export'));
    // A step of the update fails.
    box.write('index.ts', program('two').replace("path: 'copy.txt'", "path: 'index.ts/copy.txt'"));
    expect((await cairn('up', '--yes', '--skip-preview')).code).not.toBe(0);
    const second = resourcesIn(await cairn('stack', 'export'));
    box.write('index.ts', program('two'));
    expectOk(await cairn('up', '--yes', '--skip-preview'));
    states.push([first, second, resourcesIn(await cairn('stack', 'export'))]);
    expect(plain.count() > 0).toBe(url === plain.url);
    expectOk(await cairn('destroy', '--yes', '--skip-preview', '--remove'));
  }
  expect(states[1]).toEqual(states[0]);
});

test('stacks, tags, states and names are kept by the service', async () => {
  expectOk(await there('stack', 'init', 'dev'));
  expect((await there('stack', 'init', 'dev')).text).toContain('already exists');
  expectOk(await there('config', 'set', '--secret', 'key', 'planted'));
  expectOk(await there('up', '--yes', '--skip-preview'));
  expectOk(await there('stack', 'tag', 'set', 'team', 'a'));
  expect(expectOk(await there('stack', 'tag', 'ls')).stdout).toMatch(/team +a/);
  expect(expectOk(await there('stack', 'ls')).stdout).toMatch(/^dev\* .* 5$/m);
  const file = path.join(box.home, 'state.json');
  expectOk(await there('stack', 'export', '--file', file));
  const kept = readFileSync(file, 'utf8');
  expect([kept.includes('"type": "service"'), kept.includes('planted')]).toEqual([true, false]);
  expectOk(await there('state', 'protect', 'urn:pulumi:dev::shop::shop:index:Group::group', '--yes'));
  expect((await there('destroy', '--yes', '--skip-preview')).code).not.toBe(0);
  expectOk(await there('stack', 'import', '--file', file));
  const renamed = expectOk(await there('stack', 'rename', 'prod'));
  expect(renamed.stdout).toContain('prod');
  expect(renamed.stderr).toBe('Its history, tags and changes were renamed too\n');
  expect(expectOk(await there('stack', 'output', 'content')).stdout).toBe('one\n');
  expect(expectOk(await there('stack', 'output', 'key', '--show-secrets')).stdout).toBe('planted\n');
  const history = expectOk(await there('stack', 'history')).stdout;
  expect(history.match(/^\d+: \w+/gm)?.at(-1)).toBe('1: update');
  expect((await there('stack', 'rm', 'prod', '--yes')).text).toContain('still has resources');
  expectOk(await there('destroy', '--yes', '--skip-preview'));
  expectOk(await there('stack', 'rm', 'prod', '--yes'));
  expect(expectOk(await there('stack', 'ls')).stdout).not.toContain('prod');
});

test('says what a service cannot do', async () => {
  expectOk(await there('stack', 'init', 'dev', '--secrets-provider', 'passphrase'));
  const rows: readonly (readonly [words: readonly string[], said: RegExp])[] = [
    [['stack', 'lock', '--reason', 'audit'], /is a state service/],
    [['change', '1'], /has no record of change 1/],
    [['resume'], /no change to resume/],
    [['cancel', '--yes'], /Stack dev is not locked/],
  ];
  for (const [words, said] of rows) {
    const refused = await there(...words);
    expect([words, refused.text]).toEqual([words, expect.stringMatching(said)]);
  }
});

test('a state that the store has lost is named by `stack`, and an older one takes its place', async () => {
  expectOk(await there('stack', 'init', 'dev'));
  expectOk(await there('config', 'set', '--secret', 'key', 'planted'));
  expectOk(await there('up', '--yes', '--skip-preview'));
  const project =
    /^name: (.*)$/m.exec(readFileSync(path.join(box.directory, 'Cairn.yaml'), 'utf8'))?.[1] ?? '';
  rmSync(path.join(box.home, 'store', '.pulumi', 'stacks', project, 'dev.json'));
  const shown = await there('stack');
  expect(shown.code).not.toBe(0);
  expect(shown.stdout).toMatch(
    /^Stack dev of project .*\n {4}Backend: .*\n {4}Lost: the newest state, noticed 20/,
  );
  expect(shown.stderr).toContain("has lost or damaged a state of stack 'dev'");
  const older = path.join(box.home, 'older.json');
  expectOk(await there('stack', 'export', '--version', '1', '--file', older));
  expectOk(await there('stack', 'import', '--file', older));
  expect(expectOk(await there('stack')).stdout).not.toContain('Lost:');
  expect(expectOk(await there('preview', '--expect-no-changes')).stdout).toContain('unchanged');
});

test('a service that has moved to another address opens and seals secrets there [SEC-9]', async () => {
  expectOk(await there('stack', 'init', 'dev'));
  expectOk(await there('config', 'set', '--secret', 'key', 'planted'));
  expectOk(await there('up', '--yes', '--skip-preview'));
  await service.stop();
  // Port 0: the system gives it another port.
  service = await startServiceHere(box);
  const moved = (...words: readonly string[]): Promise<Finished> => there(...words, '--stack', 'dev');
  const key = async (): Promise<string> =>
    expectOk(await moved('stack', 'output', 'key', '--show-secrets')).stdout;
  expect(await key()).toBe('planted\n');
  expectOk(await moved('config', 'set', '--secret', 'key', 'replaced'));
  expectOk(await moved('up', '--yes', '--skip-preview'));
  expect(await key()).toBe('replaced\n');
});
