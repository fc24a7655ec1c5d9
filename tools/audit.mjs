#!/usr/bin/env node
// npm run audit: checks the licences of all packages in an install of a published package, and the registry's list of
// vulnerabilities in them. Fails for a licence that is not in the list and for a vulnerability that is high or
// critical. If the registry does not answer such questions, the second part prints "skipped".
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC-BY-3.0', 'CC0-1.0'],
  ...['ISC', 'MIT', 'MIT-0', 'Python-2.0', '(BSD-3-Clause AND Apache-2.0)'],
]);
/** Packages whose licence is in a file, with its name. */
const READ = new Map([['@logdna/tail-file', 'MIT']]);

const wrong = [...licences(), ...vulnerabilities()];
for (const each of wrong) console.log(each);
process.exitCode = wrong.length === 0 ? 0 : 1;

function licences() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const installed = Object.entries(packages)
    .filter(([place, { dev, link }]) => place.includes('node_modules/') && dev !== true && link !== true)
    .map(([place, { version, license }]) => {
      const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, license: READ.get(name) ?? license };
    });
  for (const [license, all] of [...grouped(installed)].sort((a, b) => b[1].length - a[1].length))
    console.log(`${String(all.length).padStart(4)} ${license}`);
  return installed
    .filter(({ license }) => !ALLOWED.has(license))
    .map(
      ({ name, version, license }) =>
        `${name} ${version} has the licence ${license}, which is not in the list`,
    );
}

function grouped(installed) {
  const groups = new Map();
  for (const each of installed) groups.set(each.license, [...(groups.get(each.license) ?? []), each]);
  return groups;
}

function vulnerabilities() {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: root, encoding: 'utf8' });
  const answer = answerOf(stdout);
  if (answer.vulnerabilities === undefined) {
    console.log('vulnerabilities: skipped, because the registry does not tell');
    return [];
  }
  const found = Object.values(answer.vulnerabilities);
  console.log(`vulnerabilities: ${found.length}`);
  return found
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(({ name, range, severity }) => `${name} ${range}: ${severity}`);
}

function answerOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
