import fc from 'fast-check';
import ts from 'typescript';
import * as sdk from '@cairn/sdk';
import { containsSecret, stripSecrets } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { evaluate, parseExpression } from '@cairn/pcl';
import type { Scope } from '@cairn/pcl';
import { projectFiles, readSources } from '@cairn/codegen';

/** For any expression of a program in PCL, the generated program has its value and runs nothing else. */

const NAMES: Scope = { variable: () => undefined, missing: () => null, call: () => undefined };

/** Literal: a sequence of texts and values, a list, an object, or a scalar. */
type Literal =
  | { readonly t: 'text'; readonly parts: readonly (string | Literal)[] }
  | { readonly t: 'list'; readonly items: readonly Literal[] }
  | { readonly t: 'object'; readonly members: readonly (readonly [string, Literal])[] }
  | { readonly t: 'scalar'; readonly value: number | boolean | null };

/** Text of characters that have a meaning in one of the two languages. */
const hazards = fc
  .array(
    fc.constantFrom(
      ...'$$${{{}}}``"\'\\\n\r\t/*%ab0',
      '\u2028',
      '\u2029',
      '\u0000',
      '\u007f',
      '😀',
      '${',
      '%{',
      '*/',
    ),
    {
      maxLength: 8,
    },
  )
  .map((chars) => chars.join(''));
const { literal } = fc.letrec<{ text: Literal; inner: Literal; literal: Literal }>((tie) => ({
  text: fc.record({
    t: fc.constant('text' as const),
    parts: fc.array(fc.oneof(hazards, tie('inner')), { maxLength: 5 }),
  }),
  inner: fc.oneof(
    { maxDepth: 3 },
    fc.record({ t: fc.constant('scalar' as const), value: fc.oneof(fc.nat(), fc.boolean()) }),
    tie('text'),
  ),
  literal: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      t: fc.constant('scalar' as const),
      value: fc.oneof(fc.nat(), fc.boolean(), fc.constant(null)),
    }),
    tie('text'),
    fc.record({ t: fc.constant('list' as const), items: fc.array(tie('literal'), { maxLength: 3 }) }),
    fc.record({
      t: fc.constant('object' as const),
      members: fc.array(
        fc.tuple(fc.oneof(hazards, fc.constantFrom('__proto__', 'constructor', 'a')), tie('literal')),
        {
          maxLength: 3,
        },
      ),
    }),
  ),
}));

function pcl(of: Literal): string {
  switch (of.t) {
    case 'scalar':
      return String(of.value);
    case 'list':
      return `[${of.items.map(pcl).join(', ')}]`;
    case 'object':
      return `{ ${of.members.map(([key, value]) => `${quoted(key)} = ${pcl(value)}`).join(', ')} }`;
    case 'text':
      return `"${of.parts.map((part) => (typeof part === 'string' ? escaped(part) : `\${${pcl(part)}}`)).join('')}"`;
  }
}

const quoted = (text: string): string => `"${escaped(text)}"`;

/** Escapes a text. Its last `$` or `%` would be part of a mark with the text that follows. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\"]/g, (found) => `\\${found}`)
    .replaceAll(/[\n\r\t]/g, (found) => ({ '\n': '\\n', '\r': '\\r' })[found] ?? '\\t')
    .replace(/[$%]$/, (found) => (found === '$' ? '\\u0024' : '\\u0025'))
    .replaceAll('${', () => '$${')
    .replaceAll('%{', '%%{');

const COMPILED = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };
const compiled = new Map<string, string>();

/** Returns the value of the expression that is generated for one. */
function generated(code: string): unknown {
  const program = readSources(new Map([['main.pp', `a = ${code}\n`]]));
  const files = projectFiles({
    program,
    project: '{"name":"shop"}',
    models: new Map(),
    dependencies: new Map(),
  });
  const [, expression] = /^const a = ([\s\S]*);\n*$/m.exec(files.get('index.ts') ?? '') ?? [];
  const source = files.get('pcl.ts') ?? '';
  const support =
    compiled.get(source) ?? ts.transpileModule(source, { compilerOptions: COMPILED }).outputText;
  compiled.set(source, support);
  const functions: Record<string, unknown> = {};
  new Function('exports', 'require', support)(functions, require);
  const names = { ...sdk, ...functions };
  return new Function(...Object.keys(names), `'use strict'; return (${expression ?? ''});`)(
    ...Object.values(names),
  );
}

interface Result {
  readonly value: string;
  readonly isSecret: boolean;
}

const FAILED: Result = { value: 'an error', isSecret: false };

async function evaluated(code: string): Promise<Result> {
  try {
    const value: PropertyValue = await evaluate(parseExpression(code), NAMES);
    return { value: JSON.stringify(stripSecrets(value)), isSecret: containsSecret(value) };
  } catch {
    return FAILED;
  }
}

/** {@link generated} for the whole program, whose outputs are awaited. */
async function run(code: string): Promise<Result> {
  try {
    const made = sdk.output(generated(code));
    const value = await new Promise((resolve, reject) => {
      const end = made.apply((known: unknown) => {
        resolve(known);
        return known;
      });
      sdk.recover(end, (error) => {
        reject(error as Error);
        return null;
      });
    });
    return { value: JSON.stringify(value), isSecret: await sdk.isSecret(made) };
  } catch {
    return FAILED;
  }
}

test.each<[string, unknown]>([
  ['"a${"$"}${"{globalThis.PWN=1}"}b"', 'a${globalThis.PWN=1}b'],
  ['"${"a$"}{x}`${1}"', 'a${x}`1'],
  ['"x${"$${y}"}"', 'x${y}'],
  ['<<EOT\n$${"{globalThis.PWN=1}"}\nEOT', '${"{globalThis.PWN=1}"}\n'],
])('%s', (code, value) => {
  expect(generated(code)).toEqual(value);
  expect(globalThis).not.toHaveProperty('PWN');
});

test('the generated expression has the value of the literal', async () => {
  await fc.assert(
    fc.asyncProperty(literal, async (of) => {
      const code = pcl(of);
      const value = await evaluate(parseExpression(code), NAMES);
      expect(JSON.stringify(generated(code))).toBe(JSON.stringify(value));
    }),
    { numRuns: 500 },
  );
});

/** Loops over everything iterable, with keys, conditions and groups, and secrets in each part. */
const secretly = (of: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(of, fc.constantFrom('', '', 'secret')).map(([text, call]) => `${call}(${text})`);
const small = fc.integer({ min: -3, max: 4 }).map(String);
const scalar = fc.oneof(small, fc.constantFrom('true', 'false', '"a"', '"10"', '"b b"', '"true"'));
const ranges = fc
  .oneof(fc.tuple(small), fc.tuple(small, small), fc.tuple(small, small, small))
  .map((args) => `range(${args.join(', ')})`);
const through = fc.oneof(
  ranges,
  fc.array(secretly(scalar), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('z', 'b', 'a', '10', '9', '__proto__'), scalar), {
      selector: ([key]) => key,
    })
    .map((members) => `{ ${members.map(([key, value]) => `"${key}" = ${value}`).join(', ')} }`),
);
const conditions = secretly(
  fc.constantFrom(
    'v == "a"',
    'k != v',
    'true',
    'false',
    'v',
    '!v',
    'v == v && true',
    '[v] == [10]',
    'k == "a" || v == 1',
  ),
);
const keys = secretly(fc.constantFrom('k', 'v', '"${v}-${k}"', '"x"', '[k]'));
const values = secretly(
  fc.constantFrom('v', '{ k = k }', '[v, k]', '"${k}=${v}"', '[for w in [1, 2] : w if k == w]'),
);
const loop = fc
  .record({
    of: secretly(through),
    test: fc.option(conditions),
    key: fc.option(keys),
    value: values,
    group: fc.boolean(),
  })
  .map(({ of, test, key, value, group }) => {
    const passes = test === null ? '' : ` if ${test}`;
    if (key === null) return `[for k, v in ${of} : ${value}${passes}]`;
    return `{ for k, v in ${of} : ${key} => ${value}${group ? '...' : ''}${passes} }`;
  });

test('the generated loop has the value of the loop, and keeps what is secret', async () => {
  const kinds = { failed: 0, held: 0, secret: 0 };
  await fc.assert(
    fc.asyncProperty(loop, async (code) => {
      const value = await evaluated(code);
      const made = await run(code);
      expect({ code, value: made.value }).toEqual({ code, value: value.value });
      if (value.isSecret) expect({ code, isSecret: made.isSecret }).toEqual({ code, isSecret: true });
      kinds[value === FAILED ? 'failed' : value.isSecret ? 'secret' : 'held'] += 1;
    }),
    { numRuns: 200 },
  );
  expect(Math.min(...Object.values(kinds))).toBeGreaterThan(15);
});
