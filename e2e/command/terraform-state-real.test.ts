import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { TerraformFolder, expectDone, hosts } from '../support/terraform.js';
import type { Host } from '../support/terraform.js';

/** States that a real Terraform has written, taken over into a stack and returned to it. */

jest.setTimeout(300_000);

const why =
  process.platform === 'win32'
    ? 'providers are scripts'
    : hosts.length === 0
      ? 'no terraform and no tofu on PATH'
      : undefined;
const found: readonly Pick<Host, 'name'>[] = why === undefined ? hosts : [{ name: 'terraform' }];

(why === undefined ? describe : describe.skip).each(found)(
  `a state of $name${why === undefined ? '' : ` (skipped: ${why})`}`,
  (at) => {
    let folder: TerraformFolder;
    let box: Sandbox;
    beforeEach(async () => {
      folder = new TerraformFolder(at as Host);
      await folder.find('a filesystem mirror', ['random', 'local']);
      box = sandbox();
      box.env['TF_CLI_CONFIG_FILE'] = path.join(folder.directory, 'cli.tfrc');
    });
    afterEach(async () => {
      await folder.remove();
      box.remove();
    });

    const nothing = async (): Promise<void> => {
      const { code, text } = await folder.run('plan', '-detailed-exitcode');
      expect([code, text]).toEqual([0, expect.stringContaining('No changes.')]);
    };

    test('goes to a stack and back; neither tool finds anything to change [TFF-3] [TFF-5] [TFF-6]', async () => {
      mkdirSync(path.join(folder.directory, 'm'));
      folder.write('m/main.tf', MODULE);
      folder.write('main.tf', MAIN);
      expectDone(await folder.run('init'));
      expectDone(await folder.run('apply', '-auto-approve'));
      const before = folder.read('terraform.tfstate');
      box.write('terraform.tfstate', before);
      cpSync(path.join(folder.directory, 'notes'), path.join(box.directory, 'notes'), { recursive: true });

      giveStack(box);
      const words = ['import', '--from', 'terraform', 'terraform.tfstate', '--out', 'index.ts', '--yes'];
      const { text } = expectOk(await box.cairn(words));
      expect(text).toContain('terraform_data.own: Terraform manages it itself');
      expect(expectOk(await box.cairn(['preview', '--expect-no-changes'])).text).toMatch(
        /\n\s+8 unchanged\n/,
      );

      const back = [
        'stack',
        'export',
        '--to',
        'terraform',
        '--base',
        'terraform.tfstate',
        '--file',
        'back.tfstate',
      ];
      expectOk(await box.cairn(back));
      const written = readFileSync(path.join(box.directory, 'back.tfstate'), 'utf8');
      expect(written.replace(/"serial": \d+/, '')).toBe(before.replace(/"serial": \d+/, ''));
      folder.write('terraform.tfstate', written);
      await nothing();

      // The other tool sees no difference in objects that the stack has read and stored again.
      expectOk(await box.cairn(['refresh', '--yes', '--skip-preview']));
      expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
      expectOk(await box.cairn(back));
      folder.write('pushed.tfstate', readFileSync(path.join(box.directory, 'back.tfstate'), 'utf8'));
      expectDone(await folder.run('state', 'push', 'pushed.tfstate'));
      await nothing();
    });
  },
);

const MAIN = `
provider "cairn-random" {
  alias = "two"
}
resource "cairn-random_string" "name" {
  for_each = toset(["a", "b \\"q\\""])
  length   = 12
}
resource "cairn-random_password" "key" {
  length   = 20
  provider = cairn-random.two
}
resource "cairn-local_file" "note" {
  path    = "notes/note.txt"
  content = "hello \${cairn-random_string.name["a"].result}"
}
resource "terraform_data" "own" {
  input = cairn-random_password.key.result
}
module "m" {
  count  = 2
  source = "./m"
}
output "name" {
  value = cairn-random_string.name["a"].result
}
output "key" {
  value     = cairn-random_password.key.result
  sensitive = true
}
`;

const MODULE = `
terraform {
  required_providers {
    cairn-random = { source = "cairn/cairn-random" }
  }
}
resource "cairn-random_id" "id" {
  byte_length = 4
}
`;
