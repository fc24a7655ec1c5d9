// node tools/bench/loader.mjs --tsx <a node_modules/tsx> [--runs 9]
// Start-up of programs in TypeScript, as whole processes: node alone on the same programs in JavaScript, the loader of
// packages/machines/language-node, and tsx, each with an empty cache and with a warm one. Build first; tsx is installed
// outside the project. Medians of wall time in milliseconds; compare within a run.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../setup.mjs';
import { measure, median } from './measure.mjs';
import { toolOptions } from '../tool-options.mjs';

const { values, number, refuse } = toolOptions(import.meta.url, {
  options: { runs: { type: 'string', default: '9' }, tsx: { type: 'string' } },
});
if (values.tsx === undefined) refuse('--tsx needs the folder of a tsx, such as /somewhere/node_modules/tsx');
const runs = number('runs');
const tsx = pathToFileURL(path.resolve(values.tsx, 'dist', 'loader.mjs')).href;
const dist = path.join(root, 'packages', 'machines', 'language-node', 'dist');
const { loaderStart } = await import(path.join(dist, 'loader-start.js'));
const { programCompiler } = await import(path.join(dist, 'tsconfig', 'program-compiler.js'));

const work = realpathSync(mkdtempSync(path.join(tmpdir(), 'cairn-loader-bench-')));
try {
  for (const type of ['commonjs', 'module'])
    for (const files of [1, 200]) {
      const directory = program(type, files);
      for (const name of ['node', 'ours', 'tsx']) {
        const first = [];
        const later = [];
        for (let run = 0; run < runs; run += 1) {
          const cache = path.join(work, `cache-${name}-${type}-${files}-${run}`);
          mkdirSync(cache);
          first.push(await started(name, directory, type, cache));
          later.push(await started(name, directory, type, cache));
        }
        console.log(`${type} ${files} files  ${name.padEnd(4)} first ${ms(first)}  later ${ms(later)}`);
      }
    }
} finally {
  rmSync(work, { recursive: true, force: true });
}

function ms(seconds) {
  return String(Math.round(1000 * median(seconds))).padStart(5);
}

/** Files of some 30 lines, each imported by the entry point; in JavaScript too, where only the types are missing. */
function program(type, files) {
  const directory = path.join(work, `${type}-${files}`);
  mkdirSync(directory);
  writeFileSync(path.join(directory, 'package.json'), JSON.stringify({ type }));
  writeFileSync(
    path.join(directory, 'tsconfig.json'),
    '{"compilerOptions":{"strict":true,"target":"ES2022"}}',
  );
  /* Programs are loaded by the runner of their SDK, not named to node. */
  writeFileSync(path.join(directory, 'runner.cjs'), 'require(process.argv[2]);\n');
  writeFileSync(path.join(directory, 'runner.mjs'), 'await import(process.argv[2]);\n');
  const names = Array.from({ length: files - 1 }, (_, index) => `part${index}`);
  const load = (name, extension) =>
    type === 'module'
      ? `import { sum${name} } from './${name}.${extension}';`
      : `const { sum${name} } = require('./${name}.${extension}');`;
  for (const extension of ['ts', 'js']) {
    const typed = extension === 'ts' ? ': number' : '';
    for (const name of names) {
      const functions = Array.from(
        { length: 10 },
        (_, at) => `function f${at}(a${typed}, b${typed})${typed} {\n  return a * ${at} + b;\n}`,
      );
      const sum = `function sum${name}()${typed} {\n  return f1(1, 2) + f9(3, 4);\n}`;
      const exported = type === 'module' ? `export { sum${name} };` : `exports.sum${name} = sum${name};`;
      writeFileSync(
        path.join(directory, `${name}.${extension}`),
        [...functions, sum, exported, ''].join('\n'),
      );
    }
    const total = names.map((name) => `sum${name}()`).join(' + ') || '0';
    const lines = [...names.map((name) => load(name, extension)), `const total${typed} = ${total};`];
    writeFileSync(
      path.join(directory, `index.${extension}`),
      [...lines, 'console.log(total);', ''].join('\n'),
    );
  }
  return directory;
}

/** Seconds from start to end of one run. */
async function started(name, directory, type, cache) {
  const environment = { PATH: process.env.PATH, HOME: cache, TMPDIR: cache };
  const entry = path.join(directory, name === 'node' ? 'index.js' : 'index.ts');
  const given = { args: [], env: {} };
  if (name === 'tsx') given.args = ['--import', tsx];
  if (name === 'ours')
    Object.assign(
      given,
      loaderStart({
        transpile: true,
        environment: { CAIRN_HOME: cache },
        compiler: programCompiler({ programDirectory: directory, rootDirectory: directory }, undefined, {
          name: '@cairn/sdk',
          runner: '',
        }),
        isModule: type === 'module',
      }),
    );
  const options = { cwd: directory, env: { ...environment, ...given.env } };
  const runner = type === 'module' ? 'runner.mjs' : 'runner.cjs';
  return (await measure(process.execPath, [...given.args, path.join(directory, runner), entry], options))
    .seconds;
}
