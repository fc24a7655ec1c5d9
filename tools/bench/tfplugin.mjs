#!/usr/bin/env node
// Values of Terraform's protocol as msgpack: encode and decode by type beside the bare library on the same values,
// processor time of this process. `node tools/bench/tfplugin.mjs`; needs a build of packages/boundary/tfplugin.
import { decode as bareDecode, encode as bareEncode } from '@msgpack/msgpack';
import {
  decode,
  encode,
  listOf,
  mapOf,
  objectOf,
  record,
  setOf,
} from '../../packages/boundary/tfplugin/dist/index.js';

const block = objectOf({ enabled: 'bool', name: 'string', port: 'number' });
const type = objectOf({
  ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`text_${at}`, 'string'])),
  count: 'number',
  enabled: 'bool',
  items: listOf(block),
  labels: mapOf('string'),
  size: 'number',
  tags: setOf('string'),
});
const value = record(Object.keys(type.attributes).map((name, at) => [name, sample(name, at)]));

function sample(name, at) {
  if (name.startsWith('text')) return at % 4 === 0 ? null : `a value of some length, number ${at}`;
  const some = {
    count: 3,
    enabled: true,
    size: 1.5,
    labels: record([
      ['app', 'web'],
      ['tier', 'front'],
    ]),
  };
  if (name === 'tags') return Object.freeze(['a', 'b', 'c']);
  const item = (port) =>
    record([
      ['enabled', true],
      ['name', `item ${port}`],
      ['port', port],
    ]);
  return name === 'items' ? Object.freeze([item(80), item(443), item(8080)]) : some[name];
}

const plain = structuredClone(JSON.parse(JSON.stringify(value)));
const bytes = encode(type, value);
const microseconds = (work) => {
  const rounds = 20_000;
  for (let at = 0; at < rounds; at++) work();
  let least = Infinity;
  for (let pass = 0; pass < 5; pass++) {
    const start = process.cpuUsage();
    for (let at = 0; at < rounds; at++) work();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / rounds);
  }
  return least;
};
const ours = [microseconds(() => encode(type, value)), microseconds(() => decode(type, bytes))];
const bare = [microseconds(() => bareEncode(plain)), microseconds(() => bareDecode(bytes))];
const both = ([one, other]) => one + other;
const line = (name, figures) =>
  `${name.padEnd(20)} ${figures.map((each) => each.toFixed(2).padStart(8)).join('')}`;
console.log(`${bytes.length} bytes, microseconds    encode  decode`);
console.log(line('by type', ours));
console.log(line('bare library', bare));
console.log(`together ${(both(ours) / both(bare)).toFixed(2)} times as long`);
