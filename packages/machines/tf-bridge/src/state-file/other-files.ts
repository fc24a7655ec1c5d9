import { JsonNumber } from './json-tree.js';
import type { JsonMembers } from './json-tree.js';
import { DAMAGED, refusedState } from './refusal.js';

const PULL =
  'Run `terraform state pull > pulled.tfstate` (or `tofu state pull`) where the configuration is, and take pulled.tfstate.';

/** Refuses JSON that is not a state of version 4, with the kind of the file [TFF-2]. */
export function refuseOther(root: JsonMembers, source: string): void {
  const refuse = (what: string, hint: string): never => {
    throw refusedState(source, what, hint);
  };
  if (root.has('encrypted_data')) refuse('it is a state that OpenTofu encrypted', PULL);
  if (root.has('backend'))
    refuse('it does not contain the state: it names the backend in which Terraform stores it', PULL);
  if (root.has('format_version')) refuse('it is the output of `terraform show -json`, not the state', PULL);
  if (root.has('deployment') || root.has('checkpoint'))
    refuse('it is a state of Cairn or Pulumi', 'Run `cairn stack import --file` with it.');
  const version = root.get('version');
  if (version === undefined) refuse('it has no version, so it is not a state of Terraform', DAMAGED);
  const number = version instanceof JsonNumber && /^\d+$/.test(version.text) ? Number(version.text) : 0;
  if (number === 4) return;
  if (number > 4)
    refuse(
      `it is a state of format version ${number}, which is newer than format 4, the newest that Cairn supports`,
      'Install a newer Cairn.',
    );
  if (number < 1) refuse('its version is not a whole number', DAMAGED);
  refuse(
    `it is a state of format version ${number}, which Terraform before 0.12 wrote`,
    'Run `terraform apply -refresh-only` with Terraform 0.12 and then with 1.x, which write it again, and use that state.',
  );
}

/** Refuses bytes that are not text, with the kind of the file. */
export function refuseBinary(bytes: Uint8Array, source: string): void {
  const [a, b] = bytes;
  if (a === 0x50 && b === 0x4b)
    throw refusedState(source, 'it is a saved plan of Terraform, not the state', PULL);
  if (a === 0x1f && b === 0x8b) throw refusedState(source, 'it is compressed', 'Unpack it first.');
}
