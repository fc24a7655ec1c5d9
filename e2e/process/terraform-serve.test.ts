import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startPostgres, whyNoPostgres } from '@cairn/testkit/servers';
import { TerraformFolder, WAYS, expectDone, hosts } from '../support/terraform.js';
import type { Host, OwnProvider, Way } from '../support/terraform.js';
import { until } from '../support/until.js';

/** Our providers under real hosts of Terraform's protocol, as their users install them. */

jest.setTimeout(300_000);

const windows = process.platform === 'win32';
const why = windows
  ? 'providers are scripts'
  : hosts.length === 0
    ? 'no terraform and no tofu on PATH'
    : undefined;
const found: readonly Pick<Host, 'name'>[] = why === undefined ? hosts : [{ name: 'terraform' }];

(why === undefined ? describe : describe.skip).each(found)(
  `$name${why === undefined ? '' : ` (skipped: ${why})`}`,
  (at) => {
    const host = at as Host;
    let folder: TerraformFolder;
    afterEach(() => folder.remove());

    /** Applies a plan that is stored where providers are in a mirror, and elsewhere with one command. */
    let change: TerraformFolder['change'];

    async function prepared(way: Way, ...providers: readonly OwnProvider[]): Promise<void> {
      folder = new TerraformFolder(host);
      change = (...words) =>
        way === 'a filesystem mirror' ? folder.change(...words) : folder.apply(...words);
      await folder.find(way, providers);
    }
    const nothing = async (...words: readonly string[]): Promise<void> => {
      const { code, text } = await folder.run('plan', '-detailed-exitcode', ...words);
      expect([code, text]).toEqual([0, expect.stringContaining('No changes.')]);
    };

    /** Makes the objects of `MAIN`. */
    async function made() {
      folder.write('main.tf', MAIN);
      expect(await change()).toEqual({
        'cairn-random_password.key': 'create',
        'cairn-random_string.name': 'create',
        'cairn-local_file.note': 'create',
      });
      return folder.objects();
    }

    // Its life is that of a provider in a mirror, where the host finds the same process another way.
    test('objects are made and destroyed, found by a development override', async () => {
      await prepared('a development override', 'random', 'local');
      const objects = await made();
      expect(folder.read('notes/note.txt')).toBe(
        `hello ${String(objects['cairn-random_string.name']?.['result'])}`,
      );
      await nothing();
      const destroyed = await folder.run('destroy', '-auto-approve');
      expectDone(destroyed);
      expect([destroyed.text.includes('3 destroyed'), folder.processes()]).toEqual([true, []]);
    });

    test.each(WAYS.filter((way) => way !== 'a development override'))(
      'a whole life, found by %s',
      async (way) => {
        await prepared(way, 'random', 'local');
        const before = await made();
        const name = String(before['cairn-random_string.name']?.['result']);
        expect(name).toHaveLength(12);
        expect(folder.read('notes/note.txt')).toBe(`hello ${name}`);
        await nothing();

        // One is changed in place, one is replaced, one stays.
        expect(await change('-var=length=16', '-var=greeting=goodbye')).toEqual({
          'cairn-random_string.name': 'delete create',
          'cairn-local_file.note': 'update',
        });
        const changed = await folder.objects();
        const other = String(changed['cairn-random_string.name']?.['result']);
        expect([other.length, other === name]).toEqual([16, false]);
        expect(folder.read('notes/note.txt')).toBe(`goodbye ${other}`);
        expect(changed['cairn-random_password.key']).toEqual(before['cairn-random_password.key']);
        const words = ['-var=length=16', '-var=greeting=goodbye'];
        await nothing(...words);

        // An object is changed behind Terraform's back, and another one made.
        writeFileSync(path.join(folder.directory, 'notes', 'note.txt'), 'scribble');
        writeFileSync(path.join(folder.directory, 'notes', 'other.txt'), 'there before');
        folder.write('more.tf', IMPORTED);
        expect(await change(...words)).toEqual({
          'cairn-local_file.note': 'update',
          'cairn-local_file.other': 'import',
        });
        expect(folder.read('notes/note.txt')).toBe(`goodbye ${other}`);
        await nothing(...words);

        const password = String(before['cairn-random_password.key']?.['result']);
        const destroyed = await folder.run('destroy', '-auto-approve', ...words);
        expectDone(destroyed);
        expect(destroyed.text).toContain('4 destroyed');
        expect(destroyed.text).not.toContain(password);
        expect(
          ['note.txt', 'other.txt'].filter((file) => existsSync(path.join(folder.directory, 'notes', file))),
        ).toEqual([]);
        if (way !== 'reattaching') expect(folder.processes()).toEqual([]);
      },
    );

    test('what is wrong is said of the attribute, before anything is done', async () => {
      await prepared('a development override', 'random', 'local');
      folder.write('main.tf', WRONG);
      const { code, text } = await folder.run('validate');
      expect(code).toBe(1);
      expect(text).toMatch(
        /Invalid value\s+with cairn-random_string\.a,\s+on main\.tf line 2,.*\n\s+2:\s+length\s+= 0/,
      );
      expect(text).toMatch(
        /Value for an attribute that the provider reports\s+with cairn-local_file\.b,\s+on main\.tf line 8/,
      );
    });

    test('an interrupt has the provider give up, and the object that was being made is not taken for made', async () => {
      await prepared('a development override', 'local');
      folder.write('main.tf', SLOW);
      const { child, said } = folder.start('apply', '-auto-approve');
      await until(() => existsSync(path.join(folder.directory, 'begun')));
      child.kill('SIGINT');
      const { code, text } = await said;
      expect(code).toBe(1);
      expect(text).toContain('Cannot create cairn-local:index:Command');
      expect(await folder.objects()).toEqual({});
      expect(folder.processes()).toEqual([]);
    });

    test('no provider is left when the host is killed', async () => {
      await prepared('a development override', 'local');
      folder.write('main.tf', SLOW);
      const { child, said } = folder.start('apply', '-auto-approve');
      await until(() => existsSync(path.join(folder.directory, 'begun')));
      expect(folder.processes().length).toBeGreaterThan(0);
      child.kill('SIGKILL');
      await said;
      await until(() => folder.processes().length === 0);
    });

    const noServer = whyNoPostgres();
    (noServer === undefined ? test : test.skip)(
      `databases, roles and privileges of a real server${noServer === undefined ? '' : ` (skipped: ${noServer})`}`,
      async () => {
        const server = await startPostgres();
        try {
          await prepared('a filesystem mirror', 'postgresql');
          const { port, user, password } = server;
          folder.write('terraform.tfvars.json', JSON.stringify({ host: server.host, port, user, password }));
          folder.write('main.tf', POSTGRESQL);
          expect(Object.values(await folder.apply())).toEqual(['create', 'create', 'create', 'create']);
          await nothing();
          expect(
            await folder.apply('-var=limit=7', '-var=privileges=["CONNECT"]', '-var=area=other'),
          ).toEqual({
            'cairn-postgresql_grant.app': 'update',
            'cairn-postgresql_role.app': 'update',
            'cairn-postgresql_schema.area': 'delete create',
          });
          const objects = await folder.objects();
          expect(objects['cairn-postgresql_role.app']).toMatchObject({ name: 'app', connection_limit: 7 });
          expect(objects['cairn-postgresql_schema.area']).toMatchObject({ id: 'shop/other' });
          const words = ['-var=limit=7', '-var=privileges=["CONNECT"]', '-var=area=other'];
          await nothing(...words);
          expectDone(await folder.run('state', 'rm', 'cairn-postgresql_role.app'));
          folder.write('import.tf', 'import {\n  to = cairn-postgresql_role.app\n  id = "app"\n}\n');
          expect((await folder.apply(...words))['cairn-postgresql_role.app']).toMatch(/^import/);
          await nothing(...words);
          expect((await folder.run('destroy', '-auto-approve', ...words)).text).toContain('4 destroyed');
        } finally {
          await server.close();
        }
      },
    );
  },
);

const MAIN = `
variable "length" { default = 12 }
variable "greeting" { default = "hello" }
resource "cairn-random_string" "name" {
  length  = var.length
  special = false
}
resource "cairn-random_password" "key" {
  length = 24
}
resource "cairn-local_file" "note" {
  path    = "notes/note.txt"
  content = "\${var.greeting} \${cairn-random_string.name.result}"
}
output "name" { value = cairn-random_string.name.result }
`;

const IMPORTED = `
import {
  to = cairn-local_file.other
  id = "notes/other.txt"
}
resource "cairn-local_file" "other" {
  path    = "notes/other.txt"
  content = "there before"
}
`;

const WRONG = `resource "cairn-random_string" "a" {
  length = 0
}

resource "cairn-local_file" "b" {
  path    = "b.txt"
  content = "b"
  size    = 1
}
`;

const SLOW = `
resource "cairn-local_command" "slow" {
  create = "touch begun; exec sleep 60"
}
`;

const POSTGRESQL = `
variable "host" {}
variable "port" { type = number }
variable "user" {}
variable "password" { sensitive = true }
variable "limit" { default = 5 }
variable "area" { default = "area" }
variable "privileges" {
  type    = list(string)
  default = ["CONNECT", "CREATE"]
}
provider "cairn-postgresql" {
  host     = var.host
  port     = var.port
  user     = var.user
  password = var.password
}
resource "cairn-postgresql_role" "app" {
  name             = "app"
  login            = true
  connection_limit = var.limit
}
resource "cairn-postgresql_database" "shop" {
  name = "shop"
}
resource "cairn-postgresql_schema" "area" {
  database = cairn-postgresql_database.shop.name
  name     = var.area
}
resource "cairn-postgresql_grant" "app" {
  database   = cairn-postgresql_database.shop.name
  role       = cairn-postgresql_role.app.name
  on         = "database"
  privileges = var.privileges
}
`;
