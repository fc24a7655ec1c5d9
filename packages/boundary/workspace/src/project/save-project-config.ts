import { cairnError } from '@cairn/diagnostics';
import { editTextFile } from '@cairn/files';
import { isMap, isNode, parseDocument } from 'yaml';
import { shortConfigKey } from '../config/config-key.js';
import { hasSecure, jsonText } from '../config/config-tree.js';
import type { ConfigTree } from '../config/config-tree.js';
import type { SecretsSettings } from '../stack-file/secrets-settings.js';
import type { Project } from './project.js';

/** A value for the `config` of a project file, by full key; secrets are sealed. */
interface ProjectValue {
  readonly key: string;
  readonly tree: ConfigTree;
}

/** Value of `secrets` in the form of the file. */
type Written = Readonly<Record<string, string>>;

/**
 * Writes a value into the `config` of the project file, for stacks that do not set it themselves [CFG-16]. The rest of
 * the file, including comments, remains. `secrets` is the manager that sealed it. Throws CAIRN-STORE-CONFLICT if the
 * file names another one by then.
 */
export async function saveProjectConfig(
  { location, name }: Project,
  value: ProjectValue,
  secrets: SecretsSettings | undefined,
): Promise<void> {
  const key = shortConfigKey(value.key, name);
  const inFile = location.extension === 'json' ? inJson : inYaml;
  await editTextFile(location.file, { mode: 0o644, keepMode: true }, (before = '') =>
    inFile(before, key, value.tree, secrets && written(secrets)),
  );
}

function written({ secretsProvider, encryptedKey, encryptionSalt }: SecretsSettings): Written {
  return {
    ...(secretsProvider !== undefined && { secretsprovider: secretsProvider }),
    ...(encryptedKey !== undefined && { encryptedkey: encryptedKey }),
    ...(encryptionSalt !== undefined && { encryptionsalt: encryptionSalt }),
  };
}

/** Returns the declaration with the value; its other keys remain. */
function declared(known: unknown, tree: ConfigTree): unknown {
  const value: unknown = JSON.parse(jsonText(tree));
  const secret = hasSecure(tree);
  const isShort = typeof value === 'string' || typeof value === 'boolean' || Number.isInteger(value);
  const declaration = isDeclaration(known) ? known : {};
  if (declaration !== known && !secret && isShort) return value;
  const at = declaration['default'] === undefined ? 'value' : 'default';
  return { ...declaration, [at]: value, ...(secret && { secret: true }) };
}

function isDeclaration(known: unknown): known is Readonly<Record<string, unknown>> {
  return typeof known === 'object' && known !== null && !Array.isArray(known);
}

function inYaml(text: string, key: string, tree: ConfigTree, secrets: Written | undefined): string {
  const document = parseDocument(text);
  const plain = (path: readonly string[]): unknown => {
    const node: unknown = document.getIn(path, true);
    return isNode(node) ? node.toJSON() : node;
  };
  refuseOther(plain(['secrets']), secrets);
  if (!isMap(document.get('config', true))) document.set('config', document.createNode({}));
  const known = plain(['config', key]);
  const next = declared(known, tree);
  if (isDeclaration(known) && isDeclaration(next)) {
    for (const [name, value] of Object.entries(next))
      if (JSON.stringify(known[name]) !== JSON.stringify(value))
        document.setIn(['config', key, name], document.createNode(value));
  } else document.setIn(['config', key], document.createNode(next));
  if (secrets !== undefined) document.set('secrets', document.createNode(secrets));
  return document.toString({ lineWidth: 0 });
}

function inJson(text: string, key: string, tree: ConfigTree, secrets: Written | undefined): string {
  const file = JSON.parse(text) as { config?: Record<string, unknown>; secrets?: unknown };
  refuseOther(file.secrets, secrets);
  const config = { ...file.config, [key]: declared(file.config?.[key], tree) };
  return `${JSON.stringify({ ...file, config, ...(secrets !== undefined && { secrets }) }, undefined, 2)}\n`;
}

function refuseOther(known: unknown, secrets: Written | undefined): void {
  if (known === undefined || secrets === undefined) return;
  const sorted = (map: object): string => JSON.stringify(Object.entries(map).sort());
  if (typeof known === 'object' && known !== null && sorted(known) === sorted(secrets)) return;
  throw cairnError(
    'CAIRN-STORE-CONFLICT',
    'the secrets provider of the project was changed by another command',
    {
      hint: 'Run the command again.',
    },
  );
}
