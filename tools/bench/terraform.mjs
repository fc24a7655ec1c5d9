#!/usr/bin/env node
// Terraform providers: a schema of many types with a kept copy and without, and our cost of the calls about one object.
// `node tools/bench/terraform.mjs [--types N] [--objects N] [--runs N]`; needs tf-bridge and testkit built.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { makeUrn } from '../../packages/ground/addresses/dist/index.js';
import {
  TerraformClient,
  createBridge,
  startProvider,
} from '../../packages/machines/tf-bridge/dist/index.js';
import { impliedType, record } from '../../packages/boundary/tfplugin/dist/index.js';
import { propertyMap } from '../../packages/ground/values/dist/index.js';
import { toolOptions } from '../tool-options.mjs';

const { number } = toolOptions(import.meta.url, {
  options: {
    types: { type: 'string', default: '1000' },
    objects: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '5' },
  },
});
const [types, objects, runs] = ['types', 'objects', 'runs'].map(number);
const folder = mkdtempSync(path.join(tmpdir(), 'terraform-bench-'));
const load = fileURLToPath(new URL('terraform/load.mjs', import.meta.url));
const main = fileURLToPath(new URL('terraform/provider.mjs', import.meta.url));

/** 20 attributes, of which the provider computes four. */
const attribute = (at) => {
  if (at === 0) return ['C', 'string', 'Identifies the object.'];
  const flags = at % 5 === 4 ? 'OC' : at === 1 ? 'R' : 'O';
  const type = at % 7 === 3 ? 'number' : at % 7 === 5 ? 'bool' : at % 7 === 6 ? ['map', 'string'] : 'string';
  return [flags, type, `What attribute ${at} is about, in a sentence of the length that providers write.`];
};
const attributes = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [at === 0 ? 'id' : `attribute_${at}`, attribute(at)]),
);
const rule = { block: 'list', body: Object.fromEntries(Object.entries(attributes).slice(1, 9)) };

function script(name, definition) {
  const file = path.join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(definition));
  return file;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const format = (ms) => ms.toFixed(ms < 10 ? 1 : 0);

function wholeProcess(args, env) {
  const began = performance.now();
  const output = execFileSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  return { wall: performance.now() - began, ...(output.trim() === '' ? {} : JSON.parse(output)) };
}

function schemas() {
  const resources = Object.fromEntries(
    Array.from({ length: types }, (_, at) => [`large_type_${at}`, { schema: { ...attributes, rule } }]),
  );
  const rows = [];
  const row = (what, args, env, before = () => {}) => {
    const measured = Array.from({ length: runs }, () => {
      before();
      return wholeProcess(args, env);
    });
    const of = (part) => median(measured.map((each) => each[part] ?? 0));
    rows.push({ what, wall: of('wall'), start: of('start'), schema: of('schema') });
  };
  row('node -e 0', ['-e', '0'], {});
  const small = {
    TERRAFORM_SCRIPT: script('small', { resources: { large_type_0: { schema: attributes } } }),
  };
  row('a provider of 1 type, nothing kept', [load, 'asked', path.join(folder, 'small'), '1'], small);
  for (const optional of [false, true]) {
    const name = optional ? 'optional' : 'asked';
    const home = path.join(folder, name);
    const env = {
      TERRAFORM_SCRIPT: script(name, { resources, capabilities: { getProviderSchemaOptional: optional } }),
    };
    const forget = () => rmSync(home, { recursive: true, force: true });
    const kind = optional ? 'need not be asked' : 'has to be asked';
    row(`${types} types, it ${kind}, nothing kept`, [load, 'asked', home], env, forget);
    row(`${types} types, it ${kind}, kept`, [load, 'asked', home], env);
    if (optional) {
      row(`${types} types, kept, no provider started`, [load, 'kept', home], env);
      row(`${types} types, kept, no provider started, all used`, [load, 'kept', home, `${types}`], env);
    }
  }
  console.log('milliseconds, medians of', runs);
  console.log('| what | whole process | of it: provider started | schema known, 10 types used |');
  console.log('| --- | --- | --- | --- |');
  for (const { what, wall, start, schema } of rows)
    console.log(`| ${what} | ${format(wall)} | ${format(start)} | ${format(schema)} |`);
  const [, , asked, , , kept] = rows.map(({ schema }) => schema);
  console.log(`kept: ${(asked / kept).toFixed(0)} times as fast as asked`);
}

async function calls() {
  const env = {
    ...process.env,
    TERRAFORM_SCRIPT: script('one', { resources: { large_thing: { schema: attributes } } }),
  };
  const found = { name: 'bench/large', executable: process.execPath, args: [main] };
  const provider = await startProvider({ ...found, cwd: '/', env, onLog: () => {} });
  const client = await TerraformClient.connect({ name: found.name, ...provider });
  await client.configure(record([]));
  const { block } = client.schema.resources.get('large_thing');
  const given = (at) => {
    const set = { string: `a value of object ${at}`, number: 3, bool: true };
    return record(
      Object.entries(impliedType(block).attributes).map(([name, type]) => {
        const { computed } = block.attributes.get(name);
        return [name, computed ? null : (set[type] ?? record([['app', 'web']]))];
      }),
    );
  };
  const planAndApply = async (at) => {
    const subject = { type: 'large_thing', address: `large_thing.${at}` };
    const planned = await client.plan(subject, { config: given(at) });
    const { state, failure } = await client.apply(subject, planned);
    if (failure !== undefined || state === undefined) throw failure ?? new Error('nothing is there');
  };
  const asResource = await bridged(provider, env);
  console.log(`\n${objects} objects of 20 attributes, milliseconds for each, medians of ${runs}`);
  console.log('| what | calls beside each other | our processor time | time |');
  console.log('| --- | --- | --- | --- |');
  for (const [what, one] of [
    ['plan and apply', planAndApply],
    ['as resources of a package: check and create', asResource],
  ]) {
    await batch(one, 8);
    for (const beside of [1, 64]) {
      const measured = [];
      for (let run = 0; run < runs; run++) measured.push(await batch(one, beside));
      const of = (part) => median(measured.map((each) => each[part])).toFixed(2);
      console.log(`| ${what} | ${beside} | ${of('cpu')} | ${of('wall')} |`);
    }
  }
  await provider.stop();
}

async function batch(one, beside) {
  let next = 0;
  const worker = async () => {
    while (next < objects) await one(next++);
  };
  const began = [performance.now(), process.cpuUsage()];
  await Promise.all(Array.from({ length: beside }, worker));
  const { user, system } = process.cpuUsage(began[1]);
  return { wall: (performance.now() - began[0]) / objects, cpu: (user + system) / 1000 / objects };
}

/** Makes objects by the engine's calls, in the values of programs. */
async function bridged(running, env) {
  const bridge = createBridge({ cwd: '/', env, launch: async () => ({ name: 'bench/large', running }) });
  const value = Buffer.from(JSON.stringify({ source: 'bench/large', version: '1.0.0', name: 'large' }));
  await bridge.handshake({ engineAddress: '' });
  await bridge.parameterize({ parameters: { kind: 'value', name: 'large', version: '1.0.0', value } });
  const about = (type, name) => ({ urn: makeUrn({ stack: 's', project: 'p', type, name }), name, type });
  await bridge.configure({ ...about('pulumi:providers:large', 'default'), id: 'x', inputs: propertyMap({}) });
  const set = { string: 'a value of an object', number: 3, bool: true };
  const given = Object.entries(attributes)
    .filter(([, [flags]]) => !flags.includes('C'))
    .map(([name, [, type]]) => [name.replace('_', ''), set[type] ?? { app: 'web' }]);
  const news = propertyMap(Object.fromEntries(given));
  return async (at) => {
    const each = about('large:index/thing:Thing', `thing-${at}`);
    const randomSeed = new Uint8Array(32);
    const { inputs, failures } = await bridge.check({ ...each, news, randomSeed, allowUnknowns: false });
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    await bridge.create({ ...each, inputs, timeoutSeconds: 0, preview: false });
  };
}

try {
  schemas();
  await calls();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
