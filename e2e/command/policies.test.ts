import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Policy packs on the real `@pulumi/policy`, none of them written for Cairn. */

const PROGRAM = `
import { Config } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';
const config = new Config();
new LocalFile('note', { path: 'out/note.txt', content: config.get('text') ?? 'fine' });
`;

const PACK = `
import { PolicyPack } from '@pulumi/policy';
const FILE = 'cairn-local:index:File';
new PolicyPack('house', {
  enforcementLevel: 'advisory',
  policies: [
    {
      name: 'polite',
      description: 'Files say please.',
      enforcementLevel: 'advisory',
      severity: 'low',
      validateResource: (args, report) => {
        if (args.type === FILE && !String(args.props.content).includes('please')) report('say please');
      },
    },
    {
      name: 'short',
      description: 'Files are short.',
      enforcementLevel: 'mandatory',
      configSchema: { properties: { max: { type: 'integer', minimum: 1, default: 20 } } },
      validateResource: (args, report) => {
        const { max } = args.getConfig<{ max: number }>();
        if (args.type === FILE && String(args.props.content).length > max) report('longer than ' + max);
      },
    },
    {
      name: 'signed',
      description: 'Files end with a signature.',
      enforcementLevel: 'remediate',
      remediateResource: (args) => {
        if (args.type !== FILE || String(args.props.content).endsWith(' --me')) return;
        return { ...args.props, content: args.props.content + ' --me' };
      },
    },
    {
      name: 'few',
      description: 'Few resources.',
      enforcementLevel: 'mandatory',
      validateStack: (args, report) => {
        if (process.env.FEW && args.resources.filter((each) => each.type === FILE).length > 0) {
          const of = args.resources.find((each) => each.type === FILE);
          report('too many files, such as ' + of?.props.path + ' of ' + process.env.PULUMI_NODEJS_STACK);
        }
      },
    },
  ],
});
`;

let box: Sandbox;
beforeAll(async () => {
  box = sandbox({ 'index.ts': PROGRAM });
  const pack = path.join(box.directory, '..', 'pack');
  mkdirSync(pack);
  const files = {
    'PulumiPolicy.yaml': 'description: House rules\nruntime: nodejs\nversion: 2.3.4\n',
    'package.json': JSON.stringify({ name: 'house', version: '0.0.1', private: true }),
    'index.ts': PACK,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(pack, name), text);
  writeFileSync(path.join(pack, 'strict.json'), JSON.stringify({ short: { max: 5 }, polite: 'mandatory' }));
  giveStack(box);
});
afterAll(() => box.remove());

const packFlags = ['--policy-pack', '../pack'];
const up = ['up', '--yes', '--skip-preview', ...packFlags];
const note = () => readFileSync(path.join(box.directory, 'out', 'note.txt'), 'utf8');

test('advisory violations are told, remediations are applied', async () => {
  const { stdout } = expectOk(await box.cairn(up));
  expect(stdout).toContain('house@v2.3.4 (local: ../pack): 1 broken');
  expect(stdout).toMatch(/\[remediate\] signed {2}cairn-local:index:File note {2}sets content/);
  expect(stdout).toMatch(
    /\[advisory\] polite \(low\) {2}cairn-local:index:File note: (?:Files say please\. )?say please\n/,
  );
  expect(note()).toBe('fine --me');
});

test('a mandatory violation is in the preview, refuses the update and has an exit code of its own', async () => {
  const long = ['-c', 'text=please, this is far too long'];
  const preview = await box.cairn(['preview', ...packFlags, ...long]);
  expect(preview.code).toBe(5);
  expect(preview.text).toContain('breaks the mandatory policy "short" of house');
  const refused = await box.cairn([...up, '--json']);
  expect(refused.code).toBe(5);
  expect(refused.stdout).toContain('"policyLoadEvent":{}');
  expect(refused.stdout).toMatch(/"policyEvent":\{[^}]*"enforcementLevel":"mandatory"/);
  expect(refused.stdout).toMatch(/"PolicyPacks":\{"house":"2.3.4"\}/);
  expect(note()).toBe('fine --me');
  const digest = await box.cairn(['preview', ...packFlags, '--json']);
  expect(JSON.parse(digest.stdout)).toMatchObject({
    diagnostics: expect.arrayContaining([
      expect.objectContaining({ cairn: { code: 'CAIRN-POLICY-VIOLATION' } }),
    ]),
  });
  expectOk(await box.cairn(['config', 'rm', 'text']));
});

test('the configuration of a pack changes levels and settings', async () => {
  const { code, text } = await box.cairn([...up, '--policy-pack-config', '../pack/strict.json']);
  expect(code).toBe(5);
  expect(text).toContain('breaks 2 mandatory policies: "polite" of house, "short" of house');
  writeFileSync(path.join(box.directory, '..', 'pack', 'wrong.json'), '{"short":{"max":0}}');
  const wrong = await box.cairn([...up, '--policy-pack-config', '../pack/wrong.json']);
  expect(wrong.code).not.toBe(0);
  expect(wrong.text).toContain('short: max must be at least 1');
});

test('a stack policy fails the run; the changes stand', async () => {
  const { code, text } = await box.cairn([...up, '-c', 'text=please'], { env: { FEW: '1' } });
  expect(code).toBe(5);
  expect(text).toContain('the stack breaks the mandatory policy "few" of house');
  expect(text).toContain('too many files, such as out/note.txt of dev');
  expect(note()).toBe('please --me');
});

test('packs look at the state, and at an export of it, without program, provider or lock', async () => {
  const analyze = ['policy', 'analyze', ...packFlags];
  expectOk(await box.cairn([...up, '-c', 'text=fine']));
  const program = path.join(box.directory, 'index.ts');
  writeFileSync(program, 'throw new Error("it must not run");');
  const before = (await box.cairn(['stack', 'export'])).stdout;
  const kept = expectOk(await box.cairn(analyze));
  expect(kept.stdout).toMatch(/\[advisory\] polite \(low\) {2}cairn-local:index:File note: .*say please\n/);
  expect(kept.stdout).not.toContain('[remediate]');
  const strict = await box.cairn([...analyze, '--policy-pack-config', '../pack/strict.json']);
  expect(strict.code).toBe(5);
  expect(strict.stdout).toContain('breaks 2 mandatory policies: "polite" of house, "short" of house');
  const whole = await box.cairn(analyze, { env: { FEW: '1' } });
  expect(whole.code).toBe(5);
  expect(whole.stdout).toContain('the stack breaks the mandatory policy "few" of house');
  expect(whole.stdout).toContain('too many files, such as out/note.txt of dev');
  writeFileSync(
    path.join(box.directory, 'state.json'),
    before.replaceAll('fine --me', 'please, this is far too long'),
  );
  const exported = await box.cairn([...analyze, '--file', 'state.json']);
  expect(exported.code).toBe(5);
  expect(exported.stdout).toContain('breaks the mandatory policy "short" of house: Files are short.');
  expect(exported.stdout).toMatch(/\[remediate\] signed {2}cairn-local:index:File note {2}sets content/);
  const more = await box.cairn([...analyze, '--file', 'state.json', '--diff']);
  expect(more.stdout).toMatch(/signed: note\n {4}~ content: .* --me/);
  // A document needs no stack.
  expectOk(await box.cairn(['stack', 'unselect']));
  const alone = await box.cairn([...analyze, '--file', 'state.json']);
  expect([alone.code, alone.stdout]).toEqual([5, exported.stdout]);
  expect((await box.cairn(analyze)).stderr).toContain('CAIRN-STACK-NOT-CHOSEN');
  expectOk(await box.cairn(['stack', 'select', 'dev']));
  const json = await box.cairn([...analyze, '--file', 'state.json', '--json']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    result: 'failed',
    events: expect.arrayContaining([
      { policyEvent: expect.objectContaining({ policyName: 'short', enforcementLevel: 'mandatory' }) },
      { policyRemediationEvent: expect.objectContaining({ policyName: 'signed' }) },
    ]),
  });
  expect((await box.cairn(['stack', 'export'])).stdout).toBe(before);
  expect(note()).toBe('fine --me');
  writeFileSync(program, PROGRAM);
});

test('a pack that is not there, or does not load, changes nothing', async () => {
  const missing = await box.cairn(['up', '--yes', '--skip-preview', '--policy-pack', 'nowhere']);
  expect(missing.text).toContain('cannot start the policy pack');
  expect(missing.code).not.toBe(0);
  const broken = path.join(box.directory, '..', 'broken');
  mkdirSync(broken);
  writeFileSync(path.join(broken, 'PulumiPolicy.yaml'), 'runtime: nodejs\n');
  writeFileSync(path.join(broken, 'package.json'), '{"name":"broken"}');
  writeFileSync(path.join(broken, 'index.js'), 'throw new Error("no rules today");');
  const failing = await box.cairn(['preview', '--policy-pack', '../broken']);
  expect(failing.text).toContain('no rules today');
  expect(failing.text).toContain('before it printed its address');
  expect(failing.code).not.toBe(0);
});
