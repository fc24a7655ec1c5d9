import { cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { filesBelow } from '../support/search.js';

const example = path.resolve(__dirname, '..', '..', 'examples', 'pulumi-program');

interface Exported {
  readonly version: number;
  readonly deployment: {
    readonly resources?: readonly Record<string, unknown>[];
    readonly manifest: { readonly magic: string };
  };
}

describe('an unmodified program on @pulumi/pulumi', () => {
  let box: Sandbox;
  beforeAll(() => {
    box = sandbox({ 'package.json': '{}' }, { projectFile: false });
    rmSync(box.directory, { recursive: true });
    mkdirSync(box.directory);
    cpSync(example, box.directory, {
      recursive: true,
      filter: (source) =>
        !/[/\\](node_modules|records|Pulumi\..+\.yaml)([/\\]|$)/.test(source.slice(example.length)),
    });
  });
  afterAll(() => box.remove());

  test('the first up needs no stack to be made before', async () => {
    const up = expectOk(await box.cairn(['up', '--yes']));
    expect(up.text).toContain('Created stack dev');
    expect(up.stdout).toMatch(/\d+ created/);
  });

  test('the second finds everything unchanged', async () => {
    const up = expectOk(await box.cairn(['up', '--yes', '--expect-no-changes']));
    expect(up.stdout).toMatch(/\d+ unchanged/);
  });

  test('its state is a deployment: providers first, types and parents as the other tool writes them', async () => {
    const { version, deployment } = JSON.parse(
      expectOk(await box.cairn(['stack', 'export'])).stdout,
    ) as Exported;
    expect(version).toBe(3);
    expect(deployment.manifest.magic).toMatch(/^[0-9a-f]{64}$/);
    const types = (deployment.resources ?? []).map((resource) => resource['type']);
    expect(types).toEqual(expect.arrayContaining(['pulumi:pulumi:Stack', 'pulumi:providers:pulumi-nodejs']));
    expect(types.some((type) => String(type).startsWith('pulumi-nodejs:dynamic'))).toBe(true);
    expectOk(
      await box.cairn(['stack', 'import', '--file', 'x.json']).then(async (end) => {
        expect(end.code).not.toBe(0);
        return box.cairn(['stack', 'import'], {
          input: expectOk(await box.cairn(['stack', 'export'])).stdout,
        });
      }),
    );
  });

  test('destroy leaves nothing behind', async () => {
    expectOk(await box.cairn(['destroy', '--yes']));
    const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as Exported;
    expect(deployment.resources ?? []).toEqual([]);
    const left = filesBelow(box.directory).filter((file) => file.includes(`${path.sep}records${path.sep}`));
    expect(left).toEqual([]);
  });
});
