import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { variableTable } from './variables.js';

const packages = path.join(__dirname, '..', '..', '..', '..');
const SETTINGS = [
  ...['boundary/blobs', 'boundary/crypters', 'boundary/processes', 'boundary/workspace'],
  ...['machines/backends', 'machines/plugin-host', 'machines/tf-bridge', 'app/operations', 'edges/cli'],
];

/** Returns the sources of the packages that read settings, without tests. */
function sources(): readonly string[] {
  return SETTINGS.flatMap((name) => {
    const root = path.join(packages, name, 'src');
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('variables.ts'))
      .map((file) => readFileSync(path.join(root, file), 'utf8'));
  });
}

/** Patterns by which sources read a variable: by its whole name, or by its bare one. */
const READS = [
  /(?:env|environment)\['CAIRN_([A-Z_]+)'\]/g,
  /(?:envVar|envFlag)\([\w.]+, '([A-Z_]+)'/g,
  /either\(environment, '([A-Z_]+)'/g,
  /attachments\(environment, '([A-Z_]+)'/g,
  /flag\(env, '([A-Z_]+)'/g,
];

/** Variables read by tests only, or set by the command for processes that it starts. */
const INTERNAL: ReadonlySet<string> = new Set([
  ...['TEST_PASSPHRASE', 'DETACHED_LOG', 'GCP_KMS_ENDPOINT', 'AZURE_KEYVAULT_ENDPOINT'],
]);

test('every variable that is read has its row, and stands in the order of names', () => {
  const texts = sources();
  const read = new Set(
    texts.flatMap((text) => READS.flatMap((form) => [...text.matchAll(form)].map((match) => match[1] ?? ''))),
  );
  expect(read.size).toBeGreaterThan(25);
  const rows = variableTable.map(({ name }) => name);
  const known = new Set([...variableTable.flatMap(({ name, also = [] }) => [name, ...also]), ...INTERNAL]);
  expect([...read].filter((name) => !known.has(name))).toEqual([]);
  expect(rows).toEqual(rows.toSorted());
});

test('every row is of a variable that is read', () => {
  const all = sources().join('\n');
  expect(variableTable.map(({ name }) => name).filter((name) => !all.includes(name))).toEqual([]);
});
