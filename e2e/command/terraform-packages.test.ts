import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createMessage, generateKey, readPrivateKey, sign } from 'openpgp';
import { archive, serveFiles, sha256, terraformPlatform } from '../support/archives.js';
import type { WebServer } from '../support/archives.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Terraform providers as packages: from `package add` to programs that run on them. */

// Each of them starts the command many times.
jest.setTimeout(300_000);

const repository = path.resolve(__dirname, '..', '..');
const boxes = path.join(repository, 'packages/testing/testkit/bin/terraform-provider-boxes');

let box: Sandbox;
afterEach(() => box.remove());

const up = ['up', '--yes', '--skip-preview'] as const;
const file = (name: string) => readFileSync(path.join(box.directory, name), 'utf8');
const outputs = async () =>
  JSON.parse(expectOk(await box.cairn(['stack', 'output', '--json', '--show-secrets'])).stdout) as Record<
    string,
    unknown
  >;

const STRICT = JSON.stringify({
  compilerOptions: {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, incremental: true },
    // The declarations of the package and the SDK are checked, not those of TypeScript itself.
    ...{ skipLibCheck: false, skipDefaultLibCheck: true, tsBuildInfoFile: '.tsbuildinfo' },
    ...{ module: 'NodeNext', moduleResolution: 'NodeNext', target: 'ES2023', types: ['node'] },
  },
  include: ['index.ts'],
});

const PROGRAM = `
import * as boxes from '@cairn-sdks/boxes';
import type { Output } from '@cairn/sdk';

const one = new boxes.Box('one', {
  name: 'one', size: 0.1, pin: '1234', secret: 'told once', tags: { a_key: 'kept' }, contents: ['cup', 'plate'],
  handles: ['left', 'right', 'left'], dimensions: { depth: 1, width: 2 }, walls: [{ side: 'north', height: 3 }],
  stickers: [{ text: 'up' }], slot: { first_place: { holds: 'pen' } }, address: { city: 'Ulm' }, lock: { kind: 'bolt' },
});
const lid = new boxes.Lid('lid', { boxId: one.id, title: 'of one' });
const shelf = new boxes.Shelf('shelf', { place: 'hall', owner: { name: 'me' }, boards: [{ length: 2 }], marks: [{ text: 'm' }] });
const pass = boxes.openPassOutput({ owner: 'me' });

export const size: Output<number | undefined> = one.size;
export const handles: Output<readonly string[] | undefined> = one.handles;
export const city: Output<string | undefined> = one.address.apply((address) => address?.city);
export const area: Output<number | undefined> = one.walls.apply((walls) => walls?.[0]?.area);
export const key: Output<string> = one.key;
export const tags = one.tags;
export const owner = shelf.owner.apply((of) => of?.name);
export const label: Output<string> = boxes.labelOutput(lid.id.apply(() => 'a'), ['b', 'c']);
export const opened = pass.word.apply((word) => word.length > 0);
// @ts-expect-error a write-only attribute is no output
export const none = one.secret;
`;

function project(files: Record<string, string> = {}): Sandbox {
  return sandbox({
    'Cairn.yaml': 'name: shop\nruntime: nodejs\nmain: index.ts\n',
    'package.json': '{"name": "shop", "private": true, "type": "module"}',
    'tsconfig.json': STRICT,
    ...files,
  });
}

test('an executable becomes a typed package, and its resources live in a stack; its own state is never shown', async () => {
  box = project({ 'index.ts': PROGRAM });
  const world = { env: { BOXES_DIRECTORY: path.join(box.state, 'boxes') } };
  mkdirSync(world.env.BOXES_DIRECTORY);
  const added = expectOk(await box.cairn(['package', 'add', 'terraform-provider', boxes]));
  expect(added.text).toContain('Generated @cairn-sdks/boxes 0.0.0 in sdks/boxes: 3 resources, 3 functions');
  expect(file('sdks/boxes/box.d.ts')).toContain('/** Name of the box. */');
  expect(file('sdks/boxes/box.d.ts')).toContain('@deprecated');
  expect(file('Cairn.yaml')).toMatch(
    /boxes:\n\s+source: terraform-provider\n\s+version: \S+\n\s+parameters:/,
  );

  typeCheck(box.directory);
  giveStack(box);
  const said: string[] = [];
  const run = async (words: readonly string[]) => {
    const finished = expectOk(await box.cairn(words, world));
    said.push(finished.text);
    return finished;
  };
  await run(['preview', '--diff']);
  await run([...up, '--diff']);
  expect(await outputs()).toEqual({
    ...{ size: 0.1, handles: ['left', 'right'], city: 'Ulm', tags: { a_key: 'kept' }, owner: 'me' },
    ...{ area: expect.any(Number), key: expect.any(String), label: 'a-b-c', opened: true },
  });
  expect((await run(['preview', '--expect-no-changes'])).text).toContain('unchanged');

  box.write(
    'index.ts',
    PROGRAM.replace("title: 'of one'", "title: 'another'").replace(
      "'left', 'right', 'left'",
      "'right', 'left'",
    ),
  );
  const changed = await run(['preview', '--diff']);
  expect(changed.text).toContain('~ title: "of one" => "another"');
  expect(changed.text).not.toContain('~ handles');
  expect(changed.text).toContain('1 to update   3 unchanged');
  await run([...up, '--diff']);
  await run(['stack', '--show-secrets', '--show-ids', '--show-urns']);
  await run(['stack', 'output', '--show-secrets']);
  await run(['stack', 'history', '--show-secrets']);
  await run(['refresh', '--yes', '--diff']);
  await run(['preview', '--json']);
  box.write('index.ts', PROGRAM);
  const events = (await run([...up, '--json', '--show-secrets'])).stdout;
  expect(events).toContain('of one');
  expect(said.join('\n')).not.toContain('__terraform');
  expect(said.join('\n')).not.toContain('schema_version');

  const { stdout: exported } = expectOk(await box.cairn(['stack', 'export']));
  const { deployment } = JSON.parse(exported) as { deployment: { resources: Entry[] } };
  const stored = new Map(deployment.resources.map((each) => [each.type, each.outputs?.['__terraform']]));
  expect(stored.get('boxes:index/shelf:Shelf')).toContain('"attributes"');
  expect(stored.get('boxes:index/box:Box')).toMatchObject({ ciphertext: expect.any(String) });
  expect(exported).not.toContain('told once');
  expect(exported).not.toContain('1234');

  // The class of the package declares the object that is taken over.
  const shelf = deployment.resources.find(({ type }) => type === 'boxes:index/shelf:Shelf');
  await run(['import', 'boxes:index/shelf:Shelf', 'found', shelf?.id ?? '', '--yes', '--out', 'index.ts']);
  expect(file('index.ts')).toMatch(/^import \* as boxes from '@cairn-sdks\/boxes';\n/);
  expect(file('index.ts')).toContain("const found = new boxes.Shelf('found', {");
  typeCheck(box.directory);
  await run(['state', 'delete', 'urn:pulumi:dev::shop::boxes:index/shelf:Shelf::found', '--force', '--yes']);

  await run(['destroy', '--yes', '--skip-preview']);
});

/** Checks the program with `tsc`, as an editor does. */
function typeCheck(directory: string): void {
  const tsc = path.join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', '.'], {
    cwd: directory,
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
}

interface Entry {
  readonly type: string;
  readonly id?: string;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;

/** A mirror with the provider in some versions, and the variable by which it is found. */
function mirror(versions: readonly string[]): { readonly env: Record<string, string> } {
  const root = path.join(box.home, 'mirror');
  for (const version of versions) {
    const folder = path.join(root, 'example.com', 'acme', 'boxes', version, platform);
    mkdirSync(folder, { recursive: true });
    symlinkSync(boxes, path.join(folder, `terraform-provider-boxes_v${version}`));
  }
  const config = path.join(box.home, 'tofu.rc');
  writeFileSync(
    config,
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(root)}\n  }\n}\n`,
  );
  return { env: { TF_CLI_CONFIG_FILE: config } };
}

test('a provider is named by its address; the version that was found is the one that programs run on', async () => {
  box = project({
    'index.ts': `import { Lid } from '@cairn-sdks/boxes';\nexport const id = new Lid('lid', { boxId: 'b' }).id;\n`,
  });
  const world = mirror(['1.0.0', '1.2.0', '2.0.0']);
  const source = 'example.com/acme/boxes';
  const added = await box.cairn(['package', 'add', 'terraform-provider', source, '~> 1.0'], world);
  expect(expectOk(added).text).toContain('Generated @cairn-sdks/boxes 1.2.0');
  giveStack(box);
  expectOk(await box.cairn(up, world));
  const { stdout } = expectOk(await box.cairn(['stack', 'export']));
  expect(stdout).toContain('default_1_2_0');

  const missing = await box.cairn(up, { env: { TF_CLI_CONFIG_FILE: mirrorOfNothing() } });
  expect(missing.code).not.toBe(0);
  expect(missing.text).toContain('example.com/acme/boxes');
});

function mirrorOfNothing(): string {
  const config = path.join(box.home, 'nothing.rc');
  const empty = path.join(box.home, 'empty');
  mkdirSync(empty, { recursive: true });
  writeFileSync(
    config,
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(empty)}\n  }\n}\n`,
  );
  return config;
}

test('a provider that is not found is an error that says where it was looked for, and how to get it', async () => {
  box = project();
  const config = mirrorOfNothing();
  const world = { env: { TF_CLI_CONFIG_FILE: config } };
  const missing = await box.cairn(['package', 'add', 'terraform-provider', 'acme/nothing'], world);
  expect(missing.code).not.toBe(0);
  expect(missing.text).toContain(
    'error[CAIRN-PLUGIN-NOT-FOUND]: cannot find the Terraform provider acme/nothing\n',
  );
  expect(missing.text).toContain(path.join(box.home, 'empty'));
  expect(missing.text).toMatch(/hint: .*init/);
  const path_ = await box.cairn(['package', 'add', 'terraform-provider', './bin/terraform-provider-none']);
  expect(path_.text).toContain('terraform-provider-none');
  const none = await box.cairn(['package', 'add', 'terraform-provider']);
  expect(none.code).not.toBe(0);
  expect(none.text).toContain('neither resources nor functions');
  expect(none.text).toContain('cairn package add terraform-provider PARAMETER…');
});

test('options choose the name, what the package has, and other names', async () => {
  box = project({
    'names.json': JSON.stringify({
      resources: {
        boxes_lid: { token: 'crates:index/cover:Cover', fields: { box_id: 'crate', title: 'text' } },
      },
    }),
    'index.ts': `import { Cover } from '@cairn-sdks/crates';\nexport const text = new Cover('c', { crate: 'x', text: 'yes' }).text;\n`,
  });
  const options = ['--name', 'crates', '--include', 'boxes_l*', '--mapping', 'names.json'];
  const added = expectOk(await box.cairn(['package', 'add', 'terraform-provider', '--', boxes, ...options]));
  expect(added.text).toContain('Generated @cairn-sdks/crates 0.0.0 in sdks/crates: 1 resource, 0 functions');
  giveStack(box);
  // The mapping is part of the package: its file is not read again.
  writeFileSync(path.join(box.directory, 'names.json'), '');
  expectOk(await box.cairn(up));
  expect(await outputs()).toEqual({ text: 'yes' });

  const wrong = await box.cairn(['package', 'add', 'terraform-provider', '--', boxes, '--nmae', 'x']);
  expect(wrong.code).not.toBe(0);
  expect(wrong.text).toContain('there is no option --nmae');
});

const PULUMI = `
import * as pulumi from '@pulumi/pulumi';
const { parameterization } = JSON.parse(require('fs').readFileSync('schema.json', 'utf8'));
const resproto = require('@pulumi/pulumi/proto/resource_pb');
const monitor = require('@pulumi/pulumi/runtime/settings').getMonitor();
const parameters = new resproto.Parameterization();
parameters.setName('boxes');
parameters.setVersion('0.0.0');
parameters.setValue(parameterization.parameter);
const request = new resproto.RegisterPackageRequest();
request.setName(parameterization.baseProvider.name);
request.setVersion(parameterization.baseProvider.version);
request.setParameterization(parameters);
const reference: Promise<string> = new Promise((resolve, reject) =>
  monitor.registerPackage(request, (error: Error, answer: any) => (error ? reject(error) : resolve(answer.getRef()))),
);
class Box extends pulumi.CustomResource {
  declare readonly material: pulumi.Output<string>;
  declare readonly key: pulumi.Output<string>;
  declare readonly walls: pulumi.Output<any[]>;
  constructor(name: string, args: object, options?: pulumi.CustomResourceOptions) {
    super('boxes:index/box:Box', name, { material: undefined, key: undefined, walls: undefined, ...args }, options, false, reference);
  }
}
const made = new Box('made', { name: 'made', pin: pulumi.secret('1234'), walls: [{ side: 'north' }] });
export const id = made.id;
export const key = made.key;
export const side = made.walls.apply((walls) => walls[0].side);
export const counted = pulumi.runtime.invokeOutput('boxes:index/label:label', { prefix: made.material, parts: ['x'] }, {}, reference as any);
`;

test('an unmodified program on @pulumi/pulumi uses it as a parameterized package', async () => {
  box = sandbox({
    'Pulumi.yaml': 'name: shop\nruntime: nodejs\n',
    'package.json': JSON.stringify({ name: 'shop', dependencies: { '@pulumi/pulumi': '*' } }),
    'index.ts': PULUMI,
  });
  const schema = ['package', 'get-schema', 'terraform-provider', boxes, '--out', 'schema.json'];
  expectOk(await box.cairn(schema));
  giveStack(box);
  expectOk(await box.cairn(['preview']));
  expectOk(await box.cairn(up));
  expect(await outputs()).toMatchObject({ id: expect.any(String), key: expect.any(String), side: 'north' });
  expectOk(await box.cairn(['preview', '--expect-no-changes']));
  expectOk(await box.cairn(['destroy', '--yes', '--skip-preview']));
});

test('a program and a state of the other plugin of this name: the program runs as it is, and a refresh reads the objects anew', async () => {
  // The package of a program that Pulumi's own plugin has generated.
  const value = Buffer.from(JSON.stringify({ local: { path: boxes } })).toString('base64');
  const parameterization = {
    baseProvider: { name: 'terraform-provider', version: '0.13.0' },
    parameter: value,
  };
  box = sandbox({
    'Pulumi.yaml': 'name: shop\nruntime: nodejs\n',
    'package.json': JSON.stringify({ name: 'shop', dependencies: { '@pulumi/pulumi': '*' } }),
    'schema.json': JSON.stringify({ parameterization }),
    'index.ts': PULUMI,
  });
  const world = { env: { BOXES_DIRECTORY: path.join(box.state, 'boxes') } };
  giveStack(box);
  expectOk(await box.cairn(up, world));
  expectOk(await box.cairn(['preview', '--expect-no-changes'], world));

  // Its state has what the provider must receive in another form.
  const { stdout } = expectOk(await box.cairn(['stack', 'export']));
  const { deployment, ...rest } = JSON.parse(stdout) as { deployment: { resources: Entry[] } };
  const resources = deployment.resources.map(({ outputs, ...entry }) => {
    const { __terraform: _ours, ...others } = outputs ?? {};
    return { ...entry, outputs: { ...others, __meta: '{"schema_version":"1"}' } };
  });
  box.write('other.json', JSON.stringify({ ...rest, deployment: { ...deployment, resources } }));
  expectOk(await box.cairn(['stack', 'import', '--file', 'other.json']));
  const unknown = await box.cairn(['preview'], world);
  expect(unknown.code).not.toBe(0);
  expect(unknown.text).toMatch(/::made has no __terraform.* Run a refresh to read the object by its id/s);
  expectOk(await box.cairn(['refresh', '--yes', '--skip-preview'], world));
  expectOk(await box.cairn(['preview', '--expect-no-changes'], world));
});

test('docs/terraform.md: the steps of the page, one after the other', async () => {
  const page = readFileSync(path.join(repository, 'docs/terraform.md'), 'utf8');
  const blocks = (language: string) =>
    [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(
      ([, text]) => text as string,
    );
  const [program = ''] = blocks('ts');
  const [mapping = ''] = blocks('json');
  const commands = blocks('sh').flatMap((text) => text.trim().split('\n'));
  box = project({ 'names.json': mapping });
  box.write('index.ts', program);
  // Files that `npm install` puts there.
  const installed = path.join(box.directory, 'node_modules', '.bin');
  mkdirSync(installed, { recursive: true });
  const provider = 'terraform-provider-cairn-random';
  symlinkSync(
    path.join(repository, 'packages/providers/random/bin/terraform.js'),
    path.join(installed, provider),
  );
  const said: string[] = [];
  for (const command of commands) {
    const [cairn, ...words] = command.split(' ');
    expect(cairn).toBe('cairn');
    said.push(expectOk(await box.cairn(words)).text);
    if (words[0] === 'package') typeCheck(box.directory);
  }
  expect(said).toHaveLength(5);
  expect(said[3]).toMatch(/name +\w+-\w+\nsecret +\[secret\]\n/);

  const mapped = ['package', 'get-schema', 'terraform-provider', '--', `./node_modules/.bin/${provider}`];
  const options = ['--name', 'dice', '--mapping', 'names.json'];
  const { stdout } = expectOk(await box.cairn([...mapped, ...options]));
  const { resources } = JSON.parse(stdout) as { resources: Record<string, { inputProperties: object }> };
  expect(resources['dice:index/animal:Animal']?.inputProperties).toHaveProperty('between');
});

describe('a provider that is downloaded', () => {
  const file = `terraform-provider-boxes_1.0.0_${terraformPlatform()}.zip`;
  const provider = (how: string): Buffer =>
    archive({ 'terraform-provider-boxes': `#!/bin/sh\n# ${how}\nexec "${boxes}" "$@"\n` });
  let server: WebServer;
  let answers: Map<string, Buffer>;
  let signer: { readonly publicKey: string; readonly privateKey: string };

  beforeAll(async () => {
    signer = await generateKey({ userIDs: [{ name: 'acme' }], format: 'armored' });
  });
  beforeEach(async () => {
    answers = new Map();
    server = await serveFiles((asked) => answers.get(asked));
    box = project({
      rc: `host "registry.acme.example" {\n  services = { "providers.v1" = "${server.url}/v1/" }\n}\n`,
      'index.ts': '',
    });
    box.env['TF_CLI_CONFIG_FILE'] = path.join(box.directory, 'rc');
    await publish(provider('first'));
  });
  afterEach(() => server.close());

  /** Has the registry offer an archive, with its checksum signed by a key that the registry names, or another's. */
  async function publish(
    bytes: Buffer,
    { privateKey }: { readonly privateKey: string } = signer,
  ): Promise<void> {
    const sums = Buffer.from(`${sha256(bytes)}  ${file}\n`);
    const signature = await sign({
      ...{ message: await createMessage({ binary: sums }), detached: true, format: 'binary' },
      signingKeys: await readPrivateKey({ armoredKey: privateKey }),
    });
    const [os = '', arch = ''] = terraformPlatform().split('_');
    const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
    const place = '/v1/acme/boxes';
    answers
      .set(
        `${place}/versions`,
        json({ versions: [{ version: '1.0.0', protocols: ['6.0'], platforms: [{ os, arch }] }] }),
      )
      .set(
        `${place}/1.0.0/download/${os}/${arch}`,
        json({
          ...{ download_url: '/file', filename: file, shasum: sha256(bytes) },
          ...{ shasums_url: '/sums', shasums_signature_url: '/sums.sig' },
          signing_keys: { gpg_public_keys: [{ ascii_armor: signer.publicKey }] },
        }),
      )
      .set('/sums', sums)
      .set('/sums.sig', Buffer.from(signature as Uint8Array))
      .set('/file', bytes);
  }

  const add = [
    'package',
    'add',
    'terraform-provider',
    '--',
    'registry.acme.example/acme/boxes',
    '--download',
  ] as const;

  test('is checked against its signed checksums and locked; another machine gets the same bytes', async () => {
    const added = expectOk(await box.cairn([...add]));
    expect(added.text).toContain('Generated @cairn-sdks/boxes 1.0.0');
    expect(JSON.parse(readFileSync(path.join(box.directory, 'cairn-lock.json'), 'utf8'))).toMatchObject({
      terraformProviders: { 'registry.acme.example/acme/boxes': { version: '1.0.0' } },
    });
    const env = { CAIRN_HOME: path.join(box.home, 'another') };
    giveStack(box);
    box.write('index.ts', `import { Lid } from '@cairn-sdks/boxes';\nnew Lid('lid', { boxId: 'b' });\n`);
    const missing = await box.cairn(['preview', '--stack', 'dev'], { env });
    expect(missing.text).toContain(
      'cannot find the Terraform provider registry.acme.example/acme/boxes 1.0.0',
    );
    expect(missing.text).toMatch(
      /hint: Run `cairn install`, which downloads the version that cairn-lock\.json names\./,
    );
    expectOk(await box.cairn([...add], { env }));
    expectOk(await box.cairn(['preview', '--stack', 'dev'], { env }));
    await publish(provider('second'));
    const refused = await box.cairn([...add], { env: { CAIRN_HOME: path.join(box.home, 'third') } });
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain('CAIRN-PLUGIN-CHECKSUM');
    expect(refused.text).toContain('is not in cairn-lock.json');
  });

  test('is refused if an unknown key signed it, and if the archive is another', async () => {
    await publish(provider('first'), await generateKey({ userIDs: [{ name: 'evil' }], format: 'armored' }));
    const unknown = await box.cairn([...add]);
    expect(unknown.text).toContain('error[CAIRN-PLUGIN-SIGNATURE]');
    await publish(provider('first'));
    answers.set('/file', provider('evil'));
    expect((await box.cairn([...add])).text).toContain('error[CAIRN-PLUGIN-CHECKSUM]');
    expect(existsSync(path.join(box.directory, 'sdks'))).toBe(false);
    expect(existsSync(path.join(box.directory, 'cairn-lock.json'))).toBe(false);
  });
});
