import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Runs a module of the tools as Node does, and returns the value of the expression. */
function evaluated(expression: string): unknown {
  const script = `import { drawn, operatorsIn } from './operators.mjs'; console.log(JSON.stringify(${expression}))`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: __dirname });
  return JSON.parse(out.toString('utf8'));
}

const SOURCES: [string, readonly string[]][] = [
  ['a && b', ['a || b']],
  ['a || b === c', ['a && b === c', 'a || b !== c']],
  ['a < b', ['a >= b']],
  ['a !== b ? c : d', ['a === b ? c : d']],
  ['!a && b', ['(a) && b', '!a || b']],
  ['const f: (a: A | B) => a is A = (a) => a >= 1;', ['const f: (a: A | B) => a is A = (a) => a < 1;']],
  ['a ?? b + c', []],
  ['"a && b" // a === b', []],
];

test('each operator of a text is turned around by itself', () => {
  const sources = JSON.stringify(SOURCES.map(([source]) => source));
  const turned = evaluated(
    `${sources}.map((source) => operatorsIn(source).map((each) => source.slice(0, each.start) + each.text + source.slice(each.end)))`,
  );
  expect(turned).toEqual(SOURCES.map(([, expected]) => expected));
});

test('a sample is the same for a seed, has no item twice and is not larger than what there is', () => {
  const items = JSON.stringify(Array.from({ length: 50 }, (_, index) => index));
  const [one, again, other, all] = evaluated(
    `[drawn(${items}, 20, 7), drawn(${items}, 20, 7), drawn(${items}, 20, 8), drawn(${items}, 99, 1)]`,
  ) as number[][];
  expect(one).toEqual(again);
  expect(one).not.toEqual(other);
  expect(new Set(one).size).toBe(20);
  expect([...(all ?? [])].sort((a, b) => a - b)).toEqual(JSON.parse(items));
});

test('a file of the tests that is compiled with an operator turned around behaves so', () => {
  const transform = path.join(__dirname, 'transform.cjs');
  const script = `
    const transformer = require(${JSON.stringify(transform)}).createTransformer({});
    const options = { config: {}, transformerConfig: {}, supportsStaticESM: false, instrument: false, configString: '' };
    const of = (file) => transformer.process('module.exports = 1 === 2;', file, options).code;
    console.log(JSON.stringify([of('/a.js').includes('!=='), of('/b.js').includes('!==')]));`;
  const env = {
    ...process.env,
    CAIRN_MUTANT: JSON.stringify({ file: '/a.js', start: 19, end: 22, text: '!==' }),
  };
  const out = execFileSync(process.execPath, ['-e', script], { cwd: __dirname, env });
  expect(JSON.parse(out.toString('utf8'))).toEqual([true, false]);
});

test('each place of recovery is there and has operators to be drawn', () => {
  const script = `
    import { readFileSync } from 'node:fs';
    import { operatorsIn } from './operators.mjs';
    import { RECOVERY, sourcesIn } from './places.mjs';
    const counts = RECOVERY.map((place) => place.flatMap(sourcesIn).flatMap((file) => operatorsIn(readFileSync(file, 'utf8'))).length);
    console.log(JSON.stringify(counts));
  `;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: __dirname });
  const counts = JSON.parse(out.toString('utf8')) as readonly number[];
  expect(counts.filter((count) => count < 10)).toEqual([]);
});
