// Runs the steps of a case in a box and returns the tool's answers, normalised.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openBox } from './box.mjs';
import { printedErrors } from './errors.mjs';
import {
  normalCalls,
  normalConfig,
  normalEvents,
  normalPreview,
  normalState,
  normalText,
  normalValue,
} from './normalise.mjs';

/** Commands that work on resources, with their words besides the step's own. */
const OPERATIONS = {
  up: ['--yes', '--skip-preview'],
  destroy: ['--yes', '--skip-preview'],
  refresh: ['--yes', '--skip-preview'],
  import: ['--yes', '--skip-preview', '--generate-code=false'],
  preview: ['--json'],
};

/**
 * Returns the record of a case: the answer of each step. `side`: `peer` or `ours`. A case: `{ name, files, steps }`; a
 * step: `{ run, files?, world?, env?, input?, reads? }`, `run` being the words of the command, `reads` a JSON file that
 * it writes. `served`: servers for the commands; see `openBox`.
 */
export async function runCase({ name, files, steps }, side, served) {
  const box = openBox(side, files, served);
  const kept = {};
  const record = { name, steps: [] };
  try {
    const made = await box.run(['stack', 'init', 'dev']);
    if (made.code !== 0) throw new Error(`${name}: no stack: ${made.stderr}${made.stdout}`);
    for (const step of steps) record.steps.push(await runStep(box, step, kept));
    return record;
  } finally {
    box.close();
  }
}

async function runStep(box, step, kept) {
  for (const [file, text] of Object.entries(step.files ?? {})) box.write(file, text);
  if (step.world !== undefined) writeFileSync(box.world, JSON.stringify(step.world));
  for (const file of [box.calls, box.events]) rmSync(file, { force: true });
  const words = fullWords(step.run, box);
  const end = await box.run(words, { env: step.env, input: step.input });
  if (process.env.PEERS_SHOW) process.stderr.write(`$ ${words.join(' ')}\n${end.stdout}${end.stderr}\n`);
  const folders = [
    [box.project, '<project>'],
    [box.base, '<box>'],
  ];
  const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const state = read(path.join(box.state, '.pulumi', 'stacks', 'shop', 'dev.json'));
  const all = {
    ...answer(step, end, folders),
    ...(step.reads === undefined ? {} : { file: written(path.join(box.project, step.reads), folders) }),
    config: normalConfig(read(path.join(box.project, 'Pulumi.dev.yaml'))),
    ...(state === '' ? {} : { state: normalState(JSON.parse(state), folders) }),
  };
  const events = read(box.events);
  const calls = read(box.calls);
  return {
    run: step.run.join(' '),
    code: end.code,
    ...refusal(end, events),
    ...changedOf(all, kept),
    ...(events === '' ? {} : { events: normalEvents(events, folders) }),
    ...(calls === '' ? {} : { calls: normalCalls(calls, folders) }),
  };
}

/** Returns the output of a command that failed without an event about it. */
function refusal({ code, stderr }, events) {
  if (code === 0 || events.includes('"severity":"error"')) return {};
  return { errors: printedErrors(stderr) };
}

function fullWords(run, box) {
  const more = OPERATIONS[run[0]];
  if (more === undefined) return run;
  const log = ['--event-log', box.events];
  const asked = run.includes('--preview-only')
    ? more.filter((word) => word !== '--skip-preview' && word !== '--yes')
    : more;
  return [...run, ...asked, '--parallel', '1', ...log];
}

/** Returns the output of a command that prints a format: JSON, or the plain values that scripts take. */
function answer({ run, text }, { stdout, code }, folders) {
  if (run[0] === 'preview')
    return code === 0 || stdout.startsWith('{')
      ? { preview: parsed(stdout, (json) => normalPreview(json, folders)) }
      : {};
  if (run[0] === 'stack' && run[1] === 'export')
    return { exported: parsed(stdout, (json) => normalState(json, folders)) };
  if (run.includes('--json')) return { json: parsed(stdout, (json) => normalValue(json, folders)) };
  return text === true ? { text: normalText(stdout, folders) } : {};
}

/** The JSON file that a step has written, versions and all; the order of its resources is a matter of time. */
function written(file, folders) {
  if (!existsSync(file)) return '(no file)';
  const normal = (key, value) =>
    typeof value !== 'string' ? value : key === 'ciphertext' ? '<sealed>' : normalText(value, folders);
  return parsed(readFileSync(file, 'utf8'), (json) => {
    const { resources = [], ...rest } = JSON.parse(JSON.stringify(json, normal));
    return { ...rest, resources: resources.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  });
}

function parsed(text, normal) {
  try {
    return normal(JSON.parse(text));
  } catch {
    return text.trim() === '' ? undefined : `not JSON: ${text.slice(0, 200)}`;
  }
}

/**
 * Returns configuration and state only if the step before has left others. The order of the entries in a state depends
 * on timing, and alone is no change.
 */
function changedOf(all, kept) {
  const changed = {};
  for (const [key, value] of Object.entries(all)) {
    if (value === undefined) continue;
    const text = JSON.stringify(value);
    const before = kept[key];
    if (key === 'config' && (before === text || value === '')) continue;
    if (key === 'state' && before !== undefined && contentOf(value) === contentOf(JSON.parse(before)))
      continue;
    kept[key] = text;
    changed[key] = key === 'state' && before !== undefined ? sinceThen(value, JSON.parse(before)) : value;
  }
  return changed;
}

/** Returns the contents of a state, without regard to order. */
function contentOf({ order: _order, resources, ...rest }) {
  return JSON.stringify([rest, Object.entries(resources).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** The state, its entries that are as they were as `=`. */
function sinceThen(state, before) {
  const entries = Object.entries(state.resources).map(([name, entry]) => [
    name,
    JSON.stringify(entry) === JSON.stringify(before.resources[name]) ? '=' : entry,
  ]);
  return { ...state, resources: Object.fromEntries(entries) };
}
