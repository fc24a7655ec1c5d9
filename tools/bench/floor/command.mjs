// node command.mjs up|destroy FOLDER: the thinnest engine with the guarantees of ours. Program, engine and provider are
// three processes with one gRPC stream each. A step is begun on disk before the provider's call, and ended on disk
// before the answer. There are no plans, displays, secrets, locks or histories.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { connect, serve } from './channel.mjs';
import { openJournal, readEntries } from './journal.mjs';

const [operation, folder] = process.argv.slice(2);
const beside = (name) => path.join(import.meta.dirname, name);
const inFolder = (name) => path.join(folder, name);
for (const name of ['provider', 'engine']) rmSync(inFolder(name), { force: true });

const child = fork(beside('provider.mjs'), [inFolder('provider')]);
const entries = readEntries(inFolder('journal'));
const journal = await openJournal(inFolder('journal'));
await once(child, 'message');
const provider = connect(inFolder('provider'));

await { up, destroy }[operation]();
await journal.close();
provider.close();
child.disconnect();
await once(child, 'exit');

async function up() {
  const stop = await serve(inFolder('engine'), register);
  const program = spawn(process.execPath, [beside('program.mjs'), inFolder('engine')], { stdio: 'inherit' });
  const [code] = await once(program, 'exit');
  stop();
  if (code !== 0) throw new Error(`the program ended with ${code}`);
}

async function register({ type, name, inputs, dependencies }) {
  const urn = `${type}::${name}`;
  const old = entries.get(urn);
  const checked = (await provider.ask({ method: 'check', urn, inputs })).inputs;
  if (old === undefined) return change({ urn, method: 'create', inputs: checked, dependencies });
  const { changed } = await provider.ask({ method: 'diff', urn, old: old.inputs, inputs: checked });
  if (!changed && JSON.stringify(old.inputs) === JSON.stringify(checked)) return checked;
  return change({ urn, id: old.id, method: 'update', inputs: checked, dependencies });
}

async function change({ urn, method, inputs, dependencies, ...known }) {
  await journal.append({ at: 'begin', method, urn, inputs });
  const { outputs, id = known.id } = await provider.ask({ method, urn, id: known.id, inputs });
  entries.set(urn, { id, inputs, dependencies });
  await journal.append({ at: 'end', urn, id, inputs, outputs, dependencies });
  return outputs;
}

/** Deletes every entry after those that depend on it. */
async function destroy() {
  const dependents = new Map([...entries.keys()].map((urn) => [urn, []]));
  for (const [urn, { dependencies }] of entries)
    for (const needed of dependencies) dependents.get(needed).push(urn);
  // Entries are in the order of their creation, so that dependents come first here.
  const deleted = new Map();
  for (const [urn, { id }] of [...entries].reverse()) {
    const waits = dependents.get(urn).map((other) => deleted.get(other));
    deleted.set(
      urn,
      Promise.all(waits).then(() => remove(urn, id)),
    );
  }
  await Promise.all(deleted.values());
}

async function remove(urn, id) {
  await journal.append({ at: 'begin', method: 'delete', urn });
  await provider.ask({ method: 'delete', urn, id });
  await journal.append({ at: 'deleted', urn });
}
