// A folder for one case under one tool: its project, a backend and a home of its own, and the plugins that it needs on
// PATH.
import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const repository = path.resolve(here, '..', '..');
const scratch = path.join(repository, 'e2e', '.scratch');
const PROJECT = 'name: shop\nruntime: nodejs\nmain: index.js\n';
const PACKAGE = JSON.stringify({ name: 'shop', private: true, dependencies: { '@pulumi/pulumi': '*' } });
const LIMIT_MS = 120_000;

/** Command of each side, as words to start it with. */
const COMMANDS = {
  peer: ['pulumi'],
  ours: [process.execPath, path.join(repository, 'packages', 'edges', 'cli', 'bin', 'cairn.cjs')],
};

/**
 * A fresh box with the files of a case. `side`: `peer` or `ours`. `served`: servers that run its commands
 * (`CommandServers` of `e2e/support`). Without them each command is a process.
 */
export function openBox(side, files, served) {
  mkdirSync(scratch, { recursive: true });
  const base = mkdtempSync(path.join(scratch, 'peer-'));
  const folder = (name) => {
    const full = path.join(base, name);
    mkdirSync(full);
    return full;
  };
  const [project, state, home, bin] = ['project', 'state', 'home', 'bin'].map(folder);
  const modules = createRequire(path.join(repository, 'package.json'));
  plugin(bin, 'pulumi-resource-probe', path.join(here, 'provider.mjs'));
  plugin(bin, 'pulumi-resource-pulumi-nodejs', modules.resolve('@pulumi/pulumi/cmd/dynamic-provider'));
  const run = (words, { env: more, input = '' } = {}) => {
    const env = environment(box, home, bin, more);
    return served?.run({ words, cwd: project, env, input }) ?? launch(side, project, env, words, input);
  };
  const box = {
    base,
    project,
    state,
    calls: path.join(base, 'calls.jsonl'),
    world: path.join(base, 'world.json'),
    events: path.join(base, 'events.jsonl'),
    write(file, text) {
      const target = path.join(project, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    },
    run: async (words, options) => {
      const { code, signal, stdout, stderr } = await run(words, options);
      return { code: code ?? signal, stdout, stderr };
    },
    close: () => rmSync(base, { recursive: true, force: true }),
  };
  for (const [file, text] of Object.entries({ 'Pulumi.yaml': PROJECT, 'package.json': PACKAGE, ...files }))
    box.write(file, text);
  return box;
}

function plugin(bin, name, script) {
  const file = path.join(bin, name);
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  chmodSync(file, 0o755);
}

function environment({ state, calls, world }, home, bin, more) {
  return {
    PATH: `${bin}${path.delimiter}${process.env.PATH}`,
    HOME: home,
    PULUMI_HOME: path.join(home, '.pulumi'),
    CAIRN_HOME: path.join(home, '.cairn'),
    PULUMI_BACKEND_URL: pathToFileURL(state).href,
    PULUMI_CONFIG_PASSPHRASE: 'test passphrase',
    PULUMI_SKIP_UPDATE_CHECK: '1',
    PULUMI_DEBUG_COMMANDS: '1',
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: '1',
    PEERS_CALLS: calls,
    PEERS_WORLD: world,
    NO_COLOR: '1',
    CI: 'true',
    ...more,
  };
}

/** Runs one command to its end in a process of its own. */
function launch(side, cwd, env, words, input) {
  const [command, ...first] = COMMANDS[side];
  const counts = process.env.CAIRN_E2E_COUNTS;
  if (counts !== undefined) appendFileSync(counts, `whole: ${words.join(' ')}\n`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...words], { cwd, env, stdio: 'pipe', timeout: LIMIT_MS });
    const text = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk) => (text.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk) => (text.stderr += chunk));
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...text }));
  });
}
