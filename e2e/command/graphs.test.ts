import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { holds } from '../support/search.js';

/** Nothing in it is the same in every disguise. */
const PLANTED = 'Zq7 "plänted" <&> /+=?\\ %41';

const program = `
import { ComponentResource, secret } from '@cairn/sdk';
import { LocalCommand } from '@cairn/provider-local';
import { RandomPet } from '@cairn/provider-random';

class Shop extends ComponentResource {
  constructor(name) {
    super('acme:index:Shop', name);
    const first = new RandomPet('first', { length: 1 }, { parent: this });
    new RandomPet('<img src=x onerror=alert(1)>', { length: 1, keepers: { first: first.result, token } }, { parent: this });
  }
}
const token = secret(process.env.PLANTED);
new Shop('shop');
if (process.env.FAIL) new LocalCommand('failing', { create: 'echo "no entry with $TOKEN" >&2; exit 3', environment: { TOKEN: token } });
export const told = token;
`;

describe('graphs and reports', () => {
  let box: Sandbox;
  const env = { PLANTED };
  const read = (file: string): string => readFileSync(path.join(box.directory, file), 'utf8');
  beforeAll(() => {
    box = sandbox({ 'index.ts': program });
    giveStack(box);
  });
  afterAll(() => box.remove());

  test('a preview is drawn in the colours of its steps, and reported with reasons and diffs', async () => {
    const files = ['--report', 'preview.html', '--graph', 'preview.svg', '--summary', 'preview.md'];
    expectOk(await box.cairn(['preview', ...files], { env }));
    expect(read('preview.svg')).toMatch(/<g class="box create"[^]*\+ first/);
    const report = read('preview.html');
    expect(report).toMatch(/<title>Previewing update: shop\/dev<\/title>/);
    expect(report).toContain('first</a>');
    expect(report).toContain('+ length: 1');
    expect(report).not.toContain('<img');
    expect(read('preview.md')).toMatch(
      /```mermaid\nflowchart LR\n {2}subgraph n0 \["acme:index:Shop<br\/>shop/,
    );
  });

  test('a run that fails is reported with its messages, times and next commands', async () => {
    const words = [
      'up',
      '--yes',
      '--continue-on-error',
      '--show-secrets',
      '--report',
      'up.html',
      '--graph',
      'up.mmd',
    ];
    expect((await box.cairn(words, { env: { ...env, FAIL: '1' } })).code).not.toBe(0);
    const report = read('up.html');
    expect(report).toMatch(/error: failing \(cairn-local:index:Command\)[^]*no entry with \[secret\]/);
    expect(report).toMatch(/<h2>Next<\/h2>[^]*cairn resume \d+/);
    expect(report).toMatch(/<h2 id="timeline">Timeline<\/h2>[^]*first: creating/);
    expect(read('up.mmd')).toMatch(/failing<br\/>#43; creating failed/);
  });

  test('an earlier change is reported from its record, with the inputs that differ and without values', async () => {
    expectOk(await box.cairn(['change', '1', '--report', 'change.html'], { env }));
    const report = read('change.html');
    expect(report).toMatch(/<title>Change 1: shop\/dev<\/title>/);
    expect(report).toMatch(/Reasons <b>as the inputs show<\/b>/);
    expect(report).toMatch(/<b>first<\/b>[^]*?– it is new<\/summary>/);
    expect(report).toMatch(/\+ length<\/span>/);
    expect(report).toMatch(/create: done/);
    expect(report).toMatch(/create: error/);
    expect(report).toMatch(/<h2 id="timeline">Timeline<\/h2>[^]*first: create/);
  });

  test.each([
    ['svg', /^<\?xml/],
    ['html', /^<!doctype html>/],
    ['mmd', /^flowchart LR/],
    ['dot', /^strict digraph \{\n    Resource0 \[label="[^"\\]*"\];\n/],
  ])('a stack is drawn as %s', async (ending, begin) => {
    expectOk(await box.cairn(['stack', 'graph', `stack.${ending}`]));
    expect(read(`stack.${ending}`)).toMatch(begin);
  });

  test('DOT that is asked for has frames, types and colours', async () => {
    const { stdout } = expectOk(await box.cairn(['stack', 'graph', '-', '--format', 'dot']));
    expect(stdout).toMatch(/^strict digraph \{[^]*subgraph cluster_/);
  });

  test.each([
    [['stack', 'graph', '-', '--format', 'png'], /--format takes dot, mermaid, svg, html, not "png"/],
    [
      ['stack', 'graph', 'a.svg', '--short-node-name'],
      /--short-node-name cannot be used with the format svg/,
    ],
    [['stack', 'graph', 'a.svg', '--parent-edge-color', 'red;}'], /takes a name or a hexadecimal number/],
    [['preview', '--graph', 'a.png'], /--graph cannot tell the format of a\.png/],
  ])('%j is refused', async (words, message) => {
    const { code, stderr } = await box.cairn(words, { env });
    expect([code === 0, message.test(stderr)]).toEqual([false, true]);
  });

  test('no file holds the secret', () => {
    const written = readdirSync(box.directory).filter((file) => /\.(?:html|svg|md|mmd|dot)$/.test(file));
    expect(written.length).toBeGreaterThan(7);
    expect(written.filter((file) => holds(readFileSync(path.join(box.directory, file)), PLANTED))).toEqual(
      [],
    );
  });
});
