import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** The import command end to end: the objects it takes over, and the code it writes for the program. */

const SECRET = '4dabf18193072939515e22adb298388d';
const urn = (type: string, name: string): string => `urn:pulumi:dev::shop::${type}::${name}`;

/** A component with a child on a provider of its own, a secret, a name that needs care, and an unprotected one. */
const LIST = {
  nameTable: { north: urn('pulumi:providers:cairn-random', 'north') },
  resources: [
    { type: 'cairn-random:index:Id', name: 'child', id: 'c2VjcmV0', parent: 'zoo', provider: 'north' },
    { type: 'shop:index:Zoo', name: 'zoo', component: true },
    {
      type: 'cairn-random:index:Password',
      name: 'adminPassword',
      logicalName: 'admin "password"\n// of the zoo',
      id: 'planted-password',
      inputs: {
        keepers: { [SECRET]: '1b47061264138c4ac30d75fd1eb44270', plaintext: '{"class":"planted \\u2028"}' },
      },
    },
    {
      type: 'cairn-random:index:Uuid',
      name: 'class',
      id: '0190163d-8694-739b-aea5-966c26f8ad91',
      protect: false,
    },
  ],
};

const manifest = (sdk: string): string =>
  JSON.stringify({
    name: 'shop',
    private: true,
    ...(sdk === '@cairn/sdk' && { type: 'module' }),
    dependencies: { [sdk]: '*', '@cairn/provider-random': '*' },
  });

const NOT_RUN = 'throw new Error("an import does not run the program");\n';

async function emptyStack(box: Sandbox): Promise<void> {
  giveStack(box);
}

async function names(box: Sandbox): Promise<string> {
  return expectOk(await box.cairn(['stack', '--show-urns'])).stdout;
}

test('one object is taken over, and the program with its code changes nothing', async () => {
  const box = sandbox({ 'index.ts': NOT_RUN });
  try {
    await emptyStack(box);
    const pet = ['import', 'cairn-random:index:Pet', 'mascot', 'brave-otter'];
    const preview = expectOk(await box.cairn([...pet, '--preview-only']));
    expect(preview.stdout).toContain('mascot');
    expect(await names(box)).not.toContain('mascot');
    const imported = expectOk(await box.cairn([...pet, '--yes']));
    expect(imported.stdout).toContain("const mascot = new CustomResource('cairn-random:index:Pet', 'mascot'");
    expect(imported.stdout).toContain('protect: true');
    const again = expectOk(await box.cairn([...pet, '--yes', '--generate-code=false']));
    expect(again.stdout).not.toContain('CustomResource');
    const other = await box.cairn(['import', 'cairn-random:index:Pet', 'mascot', 'sly-fox', '--yes']);
    expect(other.code).toBe(4);
    expect(other.text).toContain('already exists');
    const code = imported.stdout.slice(imported.stdout.indexOf('import {'));
    box.write('index.ts', code);
    expectOk(await box.cairn(['preview', '--expect-no-changes', '--typecheck']));
    expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--expect-no-changes']));
    const history = expectOk(await box.cairn(['stack', 'history', '--json']));
    expect(history.stdout).toContain('resource-import');
  } finally {
    box.remove();
  }
});

test.each([
  ['@cairn/sdk', 'Cairn.yaml', "new ComponentResource('shop:index:Zoo', 'zoo'"],
  ['@pulumi/pulumi', 'Pulumi.yaml', 'class Password extends pulumi.CustomResource'],
])('a list becomes a program on %s that changes nothing', async (sdk, project, sample) => {
  const box = sandbox({
    [project]: 'name: shop\nruntime: nodejs\nmain: index.ts\n',
    'package.json': manifest(sdk),
    'index.ts': NOT_RUN,
    'list.json': JSON.stringify(LIST),
  });
  try {
    await emptyStack(box);
    expectOk(await box.cairn(['import', '--file', 'list.json', '--yes', '--out', 'index.ts']));
    const code = readFileSync(path.join(box.directory, 'index.ts'), 'utf8');
    expect(code).toContain(sample);
    expect(code).toMatch(/^const adminPassword = /m);
    const urns = await names(box);
    expect(urns).toContain(urn('shop:index:Zoo$cairn-random:index:Id', 'child'));
    expect(urns).toContain(urn('pulumi:providers:cairn-random', 'north'));
    box.write('index.ts', withProvider(code, sdk));
    expectOk(await box.cairn(['preview', '--expect-no-changes', '--diff']));
    expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--expect-no-changes']));
    const state = expectOk(await box.cairn(['stack', 'export'])).stdout;
    expect(state).not.toContain('planted');
  } finally {
    box.remove();
  }
});

/** The list names the provider in its table: the program declares it itself. */
function withProvider(code: string, sdk: string): string {
  const [first = '', ...rest] = code.split('\n');
  const declared =
    sdk === '@cairn/sdk'
      ? "import { ProviderResource } from '@cairn/sdk';\nconst north = new ProviderResource('cairn-random', 'north', {});"
      : "class North extends pulumi.ProviderResource {}\nconst north = new North('cairn-random', 'north', {});";
  return [first, declared, ...rest].join('\n');
}

/** A component with a child of its name, and a provider of its own below it. */
const SHOP = `
import { ComponentResource, CustomResource, ProviderResource } from '@cairn/sdk';
const zoo = new ComponentResource('shop:index:Zoo', 'zoo', {});
const north = new ProviderResource('cairn-random', 'north', {}, { parent: zoo });
new CustomResource('cairn-random:index:Uuid', 'zoo', {}, { parent: zoo });
new CustomResource('cairn-random:index:Pet', 'mascot', {}, { provider: north });
`;

test('a preview writes the list of what it would create, an import takes it over, and then nothing is left to do', async () => {
  const box = sandbox({ 'index.ts': SHOP });
  try {
    await emptyStack(box);
    const preview = expectOk(await box.cairn(['preview', '--import-file', 'list.json']));
    expect(preview.stderr).toContain('cairn import --file list.json');
    const text = readFileSync(path.join(box.directory, 'list.json'), 'utf8');
    expect(JSON.parse(text)).toEqual({
      resources: [
        { type: 'shop:index:Zoo', name: 'zoo', component: true },
        { type: 'pulumi:providers:cairn-random', name: 'north', parent: 'zoo' },
        {
          type: 'cairn-random:index:Uuid',
          name: 'zooUuid',
          id: '<PLACEHOLDER>',
          parent: 'zoo',
          logicalName: 'zoo',
        },
        { type: 'cairn-random:index:Pet', name: 'mascot', id: '<PLACEHOLDER>', provider: 'north' },
      ].map((each) => expect.objectContaining(each) as unknown),
    });
    const early = await box.cairn(['import', '--file', 'list.json', '--yes']);
    expect(early.code).toBe(2);
    expect(early.stderr).toContain('must be filled in');
    const ids = ['0190163d-8694-739b-aea5-966c26f8ad91', 'brave-otter'];
    box.write(
      'list.json',
      text.replaceAll('<PLACEHOLDER>', () => ids.shift() as string),
    );
    expectOk(
      await box.cairn(['import', '--file', 'list.json', '--yes', '--protect=false', '--generate-code=false']),
    );
    const again = expectOk(await box.cairn(['preview', '--expect-no-changes', '--import-file', 'none.json']));
    expect(again.stdout).not.toContain('create');
    expect(readFileSync(path.join(box.directory, 'none.json'), 'utf8')).toBe('{}\n');
  } finally {
    box.remove();
  }
});

test.each([
  [['import'], 'an import needs a type, a name and an id, or a list'],
  [['import', 'a:b:C', 'x'], 'an import needs a type, a name and an id, or a list'],
  [
    ['import', 'a:b:C', 'x', 'i', '--file', 'list.json'],
    'arguments about the resource cannot be used with --file',
  ],
  [['import', '--file', 'nowhere.json'], 'cannot read nowhere.json'],
  [['import', '--file', 'bad.json'], 'bad.json: resources[0] has no name'],
])('%j is refused', async (words, message) => {
  const box = sandbox({ 'bad.json': '{"resources":[{"type":"a:b:C"}]}' });
  try {
    const refused = await box.cairn(words);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(message);
  } finally {
    box.remove();
  }
});

test('an import whose program wants another object: the preview warns, the update takes over and refuses to replace', async () => {
  const box = sandbox({
    'a.txt': 'there',
    'index.ts': `import { LocalFile } from '@cairn/provider-local';
new LocalFile('page', { path: 'b.txt', content: 'x' }, { import: 'a.txt' });
`,
  });
  try {
    await emptyStack(box);
    const words =
      'imported resources that still specify an id cannot be replaced: "page" needs a new object because of path';
    const hint = 'hint: Make the program describe the imported object, or remove the import option.';
    const preview = expectOk(await box.cairn(['preview'])).text;
    for (const text of [`warning[CAIRN-RESOURCE-OPTION]: ${words}`, 'path: "a.txt" => "b.txt"', hint])
      expect(preview).toContain(text);
    const up = await box.cairn(['up', '--yes', '--skip-preview']);
    expect(up.code).not.toBe(0);
    const verdict = up.text.slice(up.text.indexOf('What failed:'));
    for (const text of [
      'page (cairn-local:index:File)',
      'index.ts:2:1',
      words,
      'path: "a.txt" => "b.txt"',
      hint,
    ])
      expect(verdict).toContain(text);
    expect(readFileSync(path.join(box.directory, 'a.txt'), 'utf8')).toBe('there');
  } finally {
    box.remove();
  }
});
