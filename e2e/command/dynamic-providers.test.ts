import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const PROGRAM = `
import * as pulumi from '@pulumi/pulumi';
class Provider implements pulumi.dynamic.ResourceProvider {
  private shelf!: string;
  private token!: string;
  async configure({ config }: pulumi.dynamic.ConfigureRequest) {
    this.shelf = config.require('shelf');
    this.token = config.require('other:token');
  }
  async create(inputs: object) {
    require('fs').appendFileSync(process.env.THING_LOG!, 'create on ' + this.shelf + ' with ' + this.token.length + '\\n');
    return { id: 'one', outs: { ...inputs, shelf: this.shelf } };
  }
}
class Thing extends pulumi.dynamic.Resource {
  readonly shelf!: pulumi.Output<string>;
  constructor(name: string) { super(new Provider(), name, { shelf: undefined }); }
}
export const shelf = new Thing('thing').shelf;
`;

interface Entry {
  readonly type: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
}

describe('the configuration of dynamic providers', () => {
  let box: Sandbox;
  const log = (): string => path.join(box.state, 'effects.log');
  const defaultProvider = async (): Promise<Entry> => {
    const { stdout } = expectOk(await box.cairn(['stack', 'export', '--show-secrets']));
    const { deployment } = JSON.parse(stdout) as { deployment: { resources: readonly Entry[] } };
    return deployment.resources.find(({ type }) => type === 'pulumi:providers:pulumi-nodejs') as Entry;
  };

  beforeAll(async () => {
    box = sandbox({
      'index.ts': PROGRAM,
      'package.json': JSON.stringify({ name: 'shop', dependencies: { '@pulumi/pulumi': '*' } }),
    });
    box.env['THING_LOG'] = log();
    giveStack(box);
    expectOk(await box.cairn(['config', 'set', 'shelf', 'upper']));
    expectOk(await box.cairn(['config', 'set', '--secret', 'other:token', 'planted-token']));
  });
  afterAll(() => box.remove());

  test('they get all of it, in state as well, with namespaces; secrets stay secret', async () => {
    const end = expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect(end.stdout).toMatch(/shelf *: "upper"/);
    expect(readFileSync(log(), 'utf8')).toBe('create on upper with 13\n');
    const { inputs, outputs } = await defaultProvider();
    const expected = {
      'shop:shelf': 'upper',
      'other:token': expect.objectContaining({ plaintext: '"planted-token"' }) as object,
    };
    expect(inputs).toEqual(expected);
    expect(outputs).toEqual(expected);
    expect(readFileSync(path.join(box.state, '.pulumi/stacks/shop/dev.json'), 'utf8')).not.toContain(
      'planted',
    );
  });

  test('a second update changes nothing; another setting reaches state and does not touch the resources', async () => {
    expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--expect-no-changes']));
    expectOk(await box.cairn(['config', 'set', 'shelf', 'lower']));
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect((await defaultProvider()).inputs).toMatchObject({ 'shop:shelf': 'lower' });
    expect(readFileSync(log(), 'utf8')).toBe('create on upper with 13\n');
  });
});
