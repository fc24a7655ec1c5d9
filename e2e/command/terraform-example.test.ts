import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

// The command is started many times.
jest.setTimeout(300_000);

const repository = path.resolve(__dirname, '..', '..');
const example = path.join(repository, 'examples', 'terraform');

describe('examples/terraform: a program on a provider of ours that is started as a Terraform provider', () => {
  let box: Sandbox;
  const page = () => path.join(box.directory, 'site', 'index.html');

  beforeAll(() => {
    box = sandbox({}, { projectFile: false });
    const left = /[/\\](node_modules|sdks|site|Cairn\..+\.yaml)([/\\]|$)/;
    cpSync(example, box.directory, {
      recursive: true,
      filter: (from) => !left.test(from.slice(example.length)),
    });
  });
  afterAll(() => box.remove());

  test('the script of the example makes its typed package', async () => {
    const { scripts } = JSON.parse(readFileSync(path.join(box.directory, 'package.json'), 'utf8')) as {
      scripts: { sdk: string };
    };
    // Files that `npm install` puts there.
    const installed = path.join(box.directory, 'node_modules', '.bin');
    mkdirSync(installed, { recursive: true });
    const provider = path.join(repository, 'packages/providers/local/bin/terraform.js');
    symlinkSync(provider, path.join(installed, 'terraform-provider-cairn-local'));
    const [, ...words] = scripts.sdk.replace('../../node_modules', './node_modules').split(' ');
    const added = expectOk(await box.cairn(words));
    expect(added.text).toContain('Generated @cairn-sdks/files 0.0.0 in sdks/files: 4 resources');
  });

  test('up, nothing to do, a change in place, drift that is mended, destroy', async () => {
    giveStack(box);
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect(readFileSync(page(), 'utf8')).toBe('<h1>Hello</h1>\n');
    const { stdout } = expectOk(await box.cairn(['stack', 'output', '--json']));
    expect(JSON.parse(stdout)).toMatchObject({ path: 'site/index.html', size: 15, content: '[secret]' });
    expectOk(await box.cairn(['preview', '--expect-no-changes']));

    expectOk(await box.cairn(['config', 'set', 'greeting', 'Welcome']));
    const changed = expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect(changed.text).toContain('1 updated');
    expect(readFileSync(page(), 'utf8')).toBe('<h1>Welcome</h1>\n');

    writeFileSync(page(), 'spoiled');
    expectOk(await box.cairn(['refresh', '--yes', '--skip-preview']));
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect(readFileSync(page(), 'utf8')).toBe('<h1>Welcome</h1>\n');
    rmSync(page());
    expectOk(await box.cairn(['refresh', '--yes', '--skip-preview']));
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect(readFileSync(page(), 'utf8')).toBe('<h1>Welcome</h1>\n');
    expectOk(await box.cairn(['destroy', '--yes', '--skip-preview']));
    expect(() => readFileSync(page())).toThrow('ENOENT');
  });
});
