#!/usr/bin/env node
/**
 * The checklist of `@pulumi/pulumi`: writes docs/maintainers/pulumi-checklist.md from the installed version, from
 * pulumi-checklist/answers.mjs and from proto/. With `--check` nothing is written. Either way it reports what has no
 * answer, and ends with 1 if there is any: an export or call that the answers do not have, a message or field that
 * proto/ does not have, an answer about nothing, or a test that does not use the part it is named for.
 *
 * Names of exports' members and of fields are on the page, so that a new one shows as a page that is not up to date;
 * `--package DIRECTORY` looks at another copy of the package.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CALL_ANSWERS,
  EXPORT_ANSWERS,
  FIELDS_NOT_USED,
  MESSAGES_LEFT_OUT,
} from './pulumi-checklist/answers.mjs';
import { surfaceOf } from './pulumi-checklist/surface.mjs';
import { toolOptions } from './tool-options.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = path.join(root, 'docs/maintainers/pulumi-checklist.md');
const { values: flags } = toolOptions(import.meta.url, {
  options: {
    check: { type: 'boolean' },
    package: { type: 'string', default: 'node_modules/@pulumi/pulumi' },
  },
});
const surface = surfaceOf(path.resolve(root, flags.package));
const problems = [];

const ours = ownMessages();
const sources = sourcesOf(path.join(root, 'packages'));
const text = `${[head(), exportsPart(), callsPart(), messagesPart(), enumsPart()].join('\n\n')}\n`;
if (!flags.check) writeFileSync(page, text);
else if (!existsSync(page) || readFileSync(page, 'utf8').replaceAll('\r\n', '\n') !== text)
  problems.push(`${path.relative(root, page)} is not up to date: node tools/pulumi-checklist.mjs`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function head() {
  return `# The checklist of \`@pulumi/pulumi\`

<!-- written by tools/pulumi-checklist.mjs -->

For maintainers: the exports, calls, messages and fields of the newest \`@pulumi/pulumi\`, and what Cairn does about each.
Use it to overlook nothing in a new version.

A new version may have a new export, call, message or field. \`tools/checks/pulumi-checklist.test.ts\` then fails and names
it. Say in \`tools/pulumi-checklist/answers.mjs\` what Cairn does about it, add messages and fields to \`proto/\`, and run
\`node tools/pulumi-checklist.mjs\`. The test also checks that a test named here uses the part that it is named for.`;
}

function exportsPart() {
  const lines = [];
  for (const [module, found] of Object.entries(surface.exports)) {
    const answers = answersOf(EXPORT_ANSWERS, module, Object.keys(found), 'export');
    const values = Object.entries(found).filter(([, { kind }]) => kind !== 'interface' && kind !== 'type');
    const types = Object.entries(found).filter(([, { kind }]) => kind === 'interface' || kind === 'type');
    lines.push(`### \`${module === 'index' ? '@pulumi/pulumi' : `@pulumi/pulumi/${module}`}\``, '');
    if (values.length > 0) {
      for (const [name, { kind, members }] of values) {
        const answer = answers.get(name);
        if (answer === undefined) problems.push(`no answer: export ${name} of ${module}`);
        lines.push(`- \`${name}\`${list(members)}, ${kind}: ${said(answer, name)}`);
      }
      lines.push('');
    }
    if (types.length > 0) {
      lines.push('Types:', '', ...types.map(([name, { members }]) => `- \`${name}\`${list(members)}`), '');
    }
  }
  return `## Exports\n\n${lines.join('\n').trimEnd()}`;
}

/** Code without the comments that begin a line: a name in a comment is not used. */
function withoutComments(text) {
  return text.replaceAll(/^\s*\/\*\*[^]*?\*\/$/gm, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

function list(members) {
  return members.length === 0 ? '' : ` (${members.join(' ')})`;
}

function callsPart() {
  const calls = surface.rpcs.map((each) => {
    const [name, ...streams] = each.split(' ');
    const [service, call] = name.split('/');
    return { service, call, streams: streams.join(' ') };
  });
  const lines = [];
  for (const service of new Set(calls.map((each) => each.service))) {
    const own = calls.filter((each) => each.service === service);
    const answers = answersOf(
      CALL_ANSWERS,
      service,
      own.map(({ call }) => call),
      'call',
    );
    for (const { call, streams } of own) {
      const answer = answers.get(call);
      if (answer === undefined) problems.push(`no answer: call ${service}/${call}`);
      const streaming = streams === '' ? '' : ` (${streams})`;
      lines.push(
        `- \`${service}/${call}\`${streaming}: ${said(answer, call[0].toLowerCase() + call.slice(1), call)}`,
      );
    }
  }
  for (const { group } of CALL_ANSWERS)
    if (!calls.some(({ service }) => service === group)) problems.push(`an answer about nothing: ${group}`);
  return `## Calls\n\n${lines.join('\n')}`;
}

/** The answers of a group by name; one about something that is not there is a problem. */
function answersOf(answers, group, names, what) {
  const own = answers.filter((each) => each.group === group);
  for (const { name } of own)
    if (!names.includes(name)) problems.push(`an answer about nothing: ${what} ${name} of ${group}`);
  return new Map(own.map((each) => [each.name, each]));
}

/** Some of these names must be in the test. */
function said(answer, ...names) {
  if (answer?.test === undefined) return answer?.why ?? '';
  const file = path.join(root, answer.test);
  const used = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (!names.some((name) => new RegExp(`\\b${name}\\b`).test(used)))
    problems.push(`${answer.test} does not use ${names[0]}`);
  return `works: \`${answer.test}\``;
}

function messagesPart() {
  const lines = [];
  const unused = new Set(Object.keys(FIELDS_NOT_USED));
  for (const [message, fields] of Object.entries(surface.messages)) {
    const left = MESSAGES_LEFT_OUT.find(([prefix]) => message.startsWith(prefix));
    const own = ours[message];
    if (left === undefined && own === undefined) problems.push(`proto/ does not have the message ${message}`);
    const words = Object.entries(fields).map(([number, name]) => {
      const mine = own?.get(Number(number));
      if (own !== undefined && mine?.toLowerCase().replaceAll('_', '') !== name)
        problems.push(`proto/ does not have field ${number} (${name}) of ${message}`);
      const key = `${message}.${mine}`;
      const isUsed = mine === undefined || new RegExp(`\\b${mine}\\b`).test(sources);
      if (!isUsed && !unused.delete(key)) problems.push(`no code reads or writes ${key}`);
      return isUsed ? `${number} ${mine ?? name}` : `${number} ${mine} (not used: ${FIELDS_NOT_USED[key]})`;
    });
    const why = left === undefined ? '' : ` (left out: ${left[1]})`;
    lines.push(`- \`${message}\`${why}${words.length === 0 ? '' : `: ${words.join(', ')}`}`);
  }
  for (const key of unused) problems.push(`an answer about nothing: ${key} is used, or is not there`);
  return `## Messages\n\n${lines.join('\n')}`;
}

function enumsPart() {
  const proto = readdirSync(path.join(root, 'proto/pulumi'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.proto'))
    .map((file) => readFileSync(path.join(root, 'proto/pulumi', file), 'utf8'))
    .join('\n');
  const lines = [];
  for (const [name, values] of Object.entries(surface.enums)) {
    // The cases of a `oneof` are fields of their message.
    if (name.endsWith('Case') || name.startsWith('pulumirpc.testing.')) continue;
    const words = Object.entries(values).map(([value, number]) => {
      if (!new RegExp(`\\b${value} = ${number}\\b`).test(proto))
        problems.push(`proto/ does not have ${value} of ${name}`);
      return `${number} ${value}`;
    });
    lines.push(`- \`${name}\`: ${words.join(', ')}`);
  }
  return `## Enumerations\n\n${lines.join('\n')}`;
}

/** Fields of the messages of proto/ by number, of the table that is generated of it. */
function ownMessages() {
  const shapes = readFileSync(path.join(root, 'packages/boundary/wire/src/generated/shapes.ts'), 'utf8');
  const rows = shapes.matchAll(/^ {2}"([\w.]+)": (\[.*\]),$/gm);
  return Object.fromEntries(
    [...rows].map(([, name, fields]) => [
      name,
      new Map(JSON.parse(fields).map(([number, field]) => [number, field])),
    ]),
  );
}

/** The text of all that is written by hand. */
function sourcesOf(directory) {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[\w-]+\/[\w-]+\/src\/.*\.ts$/.test(file.replaceAll('\\', '/')))
    .filter((file) => !/generated|testdata|\.test\.ts$/.test(file))
    .map((file) => withoutComments(readFileSync(path.join(directory, file), 'utf8')))
    .join('\n');
}
