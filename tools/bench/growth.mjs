// npm run bench -- --only growth [--sizes 1000,10000] [--shapes chain,fan,layers,components] [--most 10.5]
// Processor time of every command at sizes that are ten times each other, by the shape of the graph. Nothing a resource
// costs may grow with the stack. With --most, fails if the largest size costs more than so many times the one before.
import { rmSync } from 'node:fs';
import { measure } from './measure.mjs';
import { cairn, makeProject, setUp } from './project.mjs';
import { table } from './table.mjs';

export const SHAPES = ['chain', 'fan', 'layers', 'components'];

const program = `import { ComponentResource, CustomResource } from '@cairn/sdk';
class Item extends CustomResource {
  constructor(name, props, options) {
    super('bench:index:Item', name, { ...props }, options);
  }
  get number() {
    return this.outputOf('number');
  }
}
class Group extends ComponentResource {
  constructor(name, options) {
    super('bench:index:Group', name, {}, options);
  }
}
const WIDTH = 100;
const GROUP = 10;
const needs = {
  chain: (i) => [i - 1],
  fan: (i) => [i === 0 ? -1 : 0],
  layers: (i) => [i - WIDTH, i - WIDTH + 1],
  components: () => [],
}[process.env.BENCH_SHAPE];
const isGrouped = process.env.BENCH_SHAPE === 'components';
const text = 'x'.repeat(240);
const items = [];
let parent;
for (let i = 0; i < Number(process.env.BENCH_N); i++) {
  if (isGrouped && i % GROUP === 0) {
    parent = new Group('group-' + i);
    items.push(parent);
  } else {
    const inputs = needs(i).filter((at) => at >= 0 && at < i).map((at) => items[at].number);
    items.push(new Item('item-' + i, { text, number: i, inputs }, { parent }));
  }
}
export const count = items.length;
`;

const COMMANDS = [
  ['first up', ['up', '--yes', '--skip-preview', '--parallel', '64']],
  ['preview', ['preview', '--parallel', '64']],
  ['no-op up', ['up', '--yes', '--skip-preview', '--parallel', '64']],
  ['refresh', ['refresh', '--yes', '--skip-preview', '--parallel', '64']],
  ['stack output', ['stack', 'output']],
  ['stack ls', ['stack', 'ls']],
  ['stack export', ['stack', 'export', '--file', 'state.json']],
  ['stack import', ['stack', 'import', '--file', 'state.json']],
  ['destroy', ['destroy', '--yes', '--skip-preview', '--parallel', '64']],
];

/** Prints a table for each shape. Returns the rows that grow more than `most` times from the last but one size on. */
export async function growthTables(work, sizes, shapes, most) {
  const over = [];
  for (const shape of shapes) {
    const rows = COMMANDS.map(([name]) => [name]);
    const peaks = [];
    for (const n of sizes) peaks.push(await measureSize(work, shape, n, rows));
    for (const row of rows) {
      const [before, last] = row.slice(-2);
      const ratio = last / before;
      if (sizes.length > 1 && ratio > most) over.push(`${shape}, ${row[0]}: ${ratio.toFixed(1)}`);
      row.splice(1, sizes.length, ...row.slice(1).map((each) => each.toFixed(2)), ratio.toFixed(1));
    }
    table([`${shape}, processor s`, ...sizes.map(String), 'ratio of the last two'], rows);
    console.log(`most memory of the command, MB: ${peaks.map(Math.round).join(', ')}\n`);
  }
  return over;
}

/** Adds a column to the rows. Returns the most memory of any command. */
async function measureSize(work, shape, n, rows) {
  const project = makeProject(work, `growth-${shape}-${n}`, program, 'index.ts');
  Object.assign(project.env, { BENCH_N: String(n), BENCH_SHAPE: shape });
  await setUp(project);
  let peak = 0;
  for (const [index, [, words]] of COMMANDS.entries()) {
    const { cpuSeconds, peakMb } = await measure(process.execPath, [cairn, ...words], project);
    rows[index].push(cpuSeconds ?? NaN);
    peak = Math.max(peak, peakMb ?? 0);
  }
  rmSync(project.directory, { recursive: true, force: true });
  return peak;
}
