import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import { printReattach } from '@cairn/tfplugin';
import { zipOf } from '../../test/zip.js';
import { findProvider } from './find-provider.js';
import type { FoundProvider, ProviderQuery } from './find-provider.js';
import { platformOf } from './platform.js';

let box: string;

beforeEach(async () => {
  box = await realpath(await mkdtemp(path.join(tmpdir(), 'discovery-')));
});

afterEach(() => rm(box, { recursive: true, force: true }));

const TERRAFORM = 'registry.terraform.io';
const TOFU = 'registry.opentofu.org';

/** Writes a file below the box. */
async function put(file: string, text = '#!/bin/sh\n'): Promise<string> {
  const full = path.join(box, file);
  await mkdir(path.dirname(full), { recursive: true });
  await writeFile(full, text);
  await chmod(full, 0o755);
  return full;
}

/** Creates an unpacked package below a place. Returns its executable. */
const unpacked = (
  place: string,
  version: string,
  source = `${TERRAFORM}/acme/thing`,
  platform = platformOf(),
) => put(`${place}/${source}/${version}/${platform}/terraform-provider-thing_v${version}_x5`, version);

async function packed(
  place: string,
  version: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const file = await put(
    `${place}/${TERRAFORM}/acme/thing/terraform-provider-thing_${version}_${platformOf()}.zip`,
    '',
  );
  await writeFile(file, zipOf(files));
  return file;
}

const USUAL = '.terraform.d/plugins';

async function find(version?: string, more: Readonly<Record<string, string>> = {}, source = 'acme/thing') {
  await mkdir(path.join(box, 'program'), { recursive: true });
  return findProvider({ source, version, cwd: path.join(box, 'program'), env: { HOME: box, ...more } });
}

const brief = ({ how, version, source }: FoundProvider) => ({ how, version, source });

async function failure(work: Promise<unknown>): Promise<{ code: string; text: string }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isCairnError(error)) throw new Error(`no failure: ${String(error)}`);
  const [diagnostic] = error.diagnostics;
  const { code, summary, causes = [] } = diagnostic as NonNullable<typeof diagnostic>;
  return { code, text: [summary, ...causes].join('\n') };
}

describe('which package is taken [TFD-6]', () => {
  test('the newest wanted one of all places, the first place of equal ones', async () => {
    await unpacked('program/.terraform/providers', '3.1.0');
    await unpacked(USUAL, '3.1.0');
    await unpacked(USUAL, '3.2.0');
    await unpacked('cache', '3.1.5');
    await unpacked('cairn/terraform/providers', '3.3.0');
    await unpacked('cairn/terraform/providers', '4.0.0-beta');
    const env = { TF_PLUGIN_CACHE_DIR: path.join(box, 'cache'), CAIRN_HOME: path.join(box, 'cairn') };
    const source = `${TERRAFORM}/acme/thing`;
    expect(brief(await find(undefined, env))).toEqual({ how: 'cache', version: '3.3.0', source });
    expect(brief(await find('~> 3.1, != 3.3.0', env))).toEqual({ how: 'mirror', version: '3.2.0', source });
    expect(brief(await find('~> 3.1.0', env))).toEqual({ how: 'plugin cache', version: '3.1.5', source });
    expect(brief(await find('3.1.0', env))).toEqual({ how: 'installed', version: '3.1.0', source });
    expect(brief(await find('4.0.0-beta', env))).toEqual({ how: 'cache', version: '4.0.0-beta', source });
  });

  test('the executable may have its version and more in its name', async () => {
    const executable = await unpacked(USUAL, '1.0.0');
    expect((await find()).executable).toBe(executable);
  });

  test('without a host both registries count, with one only that', async () => {
    await unpacked(USUAL, '1.0.0', `${TOFU}/acme/thing`);
    await unpacked(USUAL, '1.0.1', `${TERRAFORM}/acme/thing`);
    await unpacked(USUAL, '9.0.0', 'example.com/acme/thing');
    expect((await find()).source).toBe(`${TERRAFORM}/acme/thing`);
    expect((await find('1.0.0')).source).toBe(`${TOFU}/acme/thing`);
    expect((await find(undefined, {}, 'example.com/Acme/Thing')).version).toBe('9.0.0');
  });

  test('the lock file of the program says the version where nobody else does', async () => {
    await unpacked(USUAL, '1.0.0');
    await unpacked(USUAL, '2.0.0');
    const lock = `# made by init\nprovider "${TERRAFORM}/acme/thing" {\n  version     = "1.0.0"\n  constraints = "~> 1.0"\n}\n`;
    await put('program/.terraform.lock.hcl', lock);
    expect((await find()).version).toBe('1.0.0');
    expect((await find('2.0.0')).version).toBe('2.0.0');
  });

  test('a provider that is nowhere: what each place has', async () => {
    await unpacked(USUAL, '1.0.0');
    await unpacked('terraform.d/plugins', '2.0.0', undefined, 'plan9_mips');
    const { code, text } = await failure(
      find('>= 2.0', { TF_DATA_DIR: '../data', TF_PLUGIN_CACHE_DIR: path.join(box, 'terraform.d/plugins') }),
    );
    expect(code).toBe('CAIRN-PLUGIN-NOT-FOUND');
    expect(text).toContain('cannot find the Terraform provider acme/thing >= 2.0');
    expect(text).toContain(`in the mirror ${box}/${USUAL} only 1.0.0`);
    expect(text).toContain(`terraform.d/plugins only for plan9_mips, not for ${platformOf()}`);
    expect(text).toContain(`not found among the providers installed in ${box}/data/providers`);
  });
});

describe('configuration files [TFD-5]', () => {
  test('an override is taken whatever version is wanted', async () => {
    await unpacked(USUAL, '1.0.0');
    const executable = await put('build/terraform-provider-thing');
    await put(
      '.terraformrc',
      `provider_installation {\n  dev_overrides { "acme/thing" = "${box}/build" }\n  direct {}\n}\n`,
    );
    expect(await find('>= 5')).toMatchObject({ how: 'dev override', version: undefined, executable });
    await rm(executable);
    expect((await failure(find())).text).toContain(`in the override ${box}/build`);
  });

  const mirrors = (text: string) => put('config.tfrc', text);
  const named = () => ({ TF_CLI_CONFIG_FILE: path.join(box, 'config.tfrc') });

  test('mirrors are asked for the addresses that they include and do not exclude', async () => {
    await unpacked('one', '1.0.0');
    await unpacked('two', '2.0.0');
    await unpacked('three', '3.0.0');
    await unpacked(USUAL, '4.0.0');
    await mirrors(`
      // three ways
      provider_installation {
        filesystem_mirror { path = "${box}/one" }
        filesystem_mirror {
          path    = "${box}/two"
          include = ["${TERRAFORM}/*/*"]
          exclude = ["${TERRAFORM}/other/*"]
        }
        filesystem_mirror {
          path = "${box}/three"
          exclude = ["acme/thing"] /* not this one */
        }
      }`);
    expect((await find(undefined, named())).version).toBe('2.0.0');
  });

  test('the same as JSON', async () => {
    await unpacked('one', '1.0.0');
    await mirrors(
      JSON.stringify({
        plugin_cache_dir: '$PLACE/cache',
        provider_installation: [{ filesystem_mirror: [{ path: `${box}/one`, include: ['acme/thing'] }] }],
      }),
    );
    await unpacked('cache', '1.1.0');
    expect((await find(undefined, named())).version).toBe('1.0.0');
    expect((await find(undefined, { ...named(), PLACE: box })).version).toBe('1.1.0');
  });

  test('a named file that is not there counts as empty, in place of the usual ones', async () => {
    await unpacked(USUAL, '1.0.0');
    await unpacked('one', '2.0.0');
    await put('.terraformrc', `provider_installation {\n filesystem_mirror { path = "${box}/one" }\n}\n`);
    expect((await find(undefined, named())).version).toBe('1.0.0');
    const { text } = await failure(find('3.0.0', named()));
    expect(text).toContain(`there is no configuration file ${box}/config.tfrc`);
  });

  test.each([
    ['two of them', 'provider_installation {}\nprovider_installation {}\n', /line 2: there is more than one/],
    [
      'an unknown way',
      'provider_installation {\n  http_mirror { }\n}',
      /line 2: http_mirror is not an installation method/,
    ],
    ['a mirror without a path', 'provider_installation {\n  filesystem_mirror {}\n}', /needs path/],
    [
      'overrides behind the rest',
      'provider_installation {\n direct {}\n dev_overrides {}\n}',
      /line 3: dev_overrides must come before/,
    ],
    ['no address', 'provider_installation {\n dev_overrides { "a b" = "/x" }\n}', /"a b" is not a name/],
    ['a template', 'plugin_cache_dir = "${env.X}"', /line 1: .* is a template/],
    ['a heredoc', 'plugin_cache_dir = <<E\nx\nE\n', /line 1: cannot read/],
    ['an expression', 'a = b + 1', /line 1: cannot read/],
    ['an open block', 'provider_installation {\n', /line 2: cannot read "the end of the file"/],
    ['JSON that is none', '{"a":', /it is not JSON/],
  ])('%s is refused', async (_, text, why) => {
    await mirrors(text);
    const failed = await failure(find(undefined, named()));
    expect(failed.code).toBe('CAIRN-USAGE');
    expect(failed.text).toMatch(why);
  });
});

describe('archives and checksums', () => {
  const FILES = { 'terraform-provider-thing_v1.0.0': 'run', 'docs/README.md': 'read' };

  test('an archive is unpacked once, and again when it is another [TFD-3]', async () => {
    const archive = await packed('.terraform.d/plugins', '1.0.0', FILES);
    const first = await find();
    expect(first).toMatchObject({ how: 'mirror', version: '1.0.0' });
    expect(await readFile(first.executable as string, 'utf8')).toBe('run');
    expect((await find()).executable).toBe(first.executable);
    await rm(archive);
    await packed('.terraform.d/plugins', '1.0.0', { ...FILES, 'terraform-provider-thing_v1.0.0': 'other' });
    expect(await readFile((await find()).executable as string, 'utf8')).toBe('other');
  });

  test.each([
    ['a link', { 'thing@': '/etc/passwd' }, /"thing" is a link/],
    ['a name that leads elsewhere', { '../terraform-provider-thing': 'x' }, /invalid relative path/],
  ])('an archive with %s is refused and leaves nothing', async (_, files, why) => {
    await packed(USUAL, '1.0.0', files);
    expect((await failure(find())).text).toMatch(why);
    expect(await readdir(path.join(box, '.cairn/terraform/unpacked'))).toEqual([]);
  });

  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  /** Computes the checksum of the files independently. */
  const h1 = () => {
    const lines = `${sha256('read')}  docs/README.md\n${sha256('run')}  terraform-provider-thing_v1.0.0\n`;
    return `h1:${createHash('sha256').update(lines).digest('base64')}`;
  };
  const lock = (...hashes: string[]) =>
    put(
      'program/.terraform.lock.hcl',
      `provider "${TERRAFORM}/acme/thing" {\n  version = "1.0.0"\n  hashes = [\n${hashes.map((each) => `    "${each}",\n`).join('')}  ]\n}\n`,
    );

  test('the package of the lock file is one of those that it has checksums of [TFD-7]', async () => {
    const archive = await packed(USUAL, '1.0.0', FILES);
    const zh = `zh:${createHash('sha256')
      .update(await readFile(archive))
      .digest('hex')}`;
    for (const known of [h1(), zh]) {
      await lock('h1:AAAA', known);
      expect((await find()).version).toBe('1.0.0');
    }
    await lock('h1:AAAA', 'zh:00');
    const failed = await failure(find());
    expect(failed.code).toBe('CAIRN-PLUGIN-CHECKSUM');
    expect(failed.text).toContain(h1());
  });

  test('a file that is changed in place is noticed', async () => {
    const directory = `${USUAL}/${TERRAFORM}/acme/thing/1.0.0/${platformOf()}`;
    await put(`${directory}/docs/README.md`, 'read');
    const executable = `${directory}/terraform-provider-thing_v1.0.0`;
    await put(executable, 'run');
    await lock(h1());
    expect((await find()).how).toBe('mirror');
    await put(executable, 'ran');
    expect((await failure(find())).code).toBe('CAIRN-PLUGIN-CHECKSUM');
  });
});

describe('by path, and running already', () => {
  const byPath = (text: string, more = {}) =>
    findProvider({ path: text, cwd: box, env: { HOME: box, ...more } } as ProviderQuery);

  test('an executable or its directory [TFD-1]', async () => {
    const executable = await put('bin/terraform-provider-thing_v1.2.3_x5');
    const found = { type: 'thing', version: '1.2.3', how: 'path', source: undefined, executable };
    expect(await byPath('./bin/terraform-provider-thing_v1.2.3_x5')).toMatchObject(found);
    expect(await byPath(path.join(box, 'bin'))).toMatchObject(found);
    await put('other/thing');
    expect((await failure(byPath('./other'))).text).toMatch(/no file in the directory begins with/);
    expect((await failure(byPath('./other/thing'))).text).toMatch(/does not begin with terraform-provider-/);
    expect((await failure(byPath('./nowhere'))).text).toMatch(/nothing is there/);
  });

  test('one that runs is found by its address, short or in full [TFP-6]', async () => {
    const attached = { protocolVersion: 6, network: 'unix', address: '/x', pid: 1, test: true } as const;
    for (const address of ['acme/thing', `${TERRAFORM}/acme/thing`, `${TOFU}/acme/thing`])
      expect(await find('1.0', { TF_REATTACH_PROVIDERS: printReattach(address, attached) })).toMatchObject({
        how: 'attached',
        attached,
      });
    const other = find('1.0', { TF_REATTACH_PROVIDERS: printReattach('acme/other', attached) });
    expect((await failure(other)).code).toBe('CAIRN-PLUGIN-NOT-FOUND');
    expect((await failure(find('1.0', { TF_REATTACH_PROVIDERS: '{' }))).text).toMatch(/not a JSON object/);
  });

  test.each([
    ['a/b/c/d', /more than host/],
    ['terraform-provider-thing', /"thing"/],
    ['-a/b', /"-a" is not a name/],
    ['host/a/b', /not a host name/],
  ])('%s is no address', async (source, why) => {
    const failed = await failure(find(undefined, {}, source));
    expect(failed).toMatchObject({ code: 'CAIRN-USAGE' });
    expect(failed.text).toMatch(why);
  });
});
