import fc from 'fast-check';
import { evaluate, parseExpression } from '@cairn/pcl';
import type { Scope } from '@cairn/pcl';
import { projectFiles, readSources } from '@cairn/codegen';

/** Whatever a literal of a program in PCL holds, the generated program has that value and runs nothing else. */

const NAMES: Scope = { variable: () => undefined, missing: () => null, call: () => undefined };

/** A literal: texts and values side by side, a list, an object, or a scalar. */
type Literal =
  | { readonly t: 'text'; readonly parts: readonly (string | Literal)[] }
  | { readonly t: 'list'; readonly items: readonly Literal[] }
  | { readonly t: 'object'; readonly members: readonly (readonly [string, Literal])[] }
  | { readonly t: 'scalar'; readonly value: number | boolean | null };

/** Text made of what means something in one of the two languages. */
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

/** The last `$` would escape a `${` behind it. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\"]/g, (found) => `\\${found}`)
    .replaceAll(/[\n\r\t]/g, (found) => ({ '\n': '\\n', '\r': '\\r' })[found] ?? '\\t')
    .replace(/\$$/, '\\u0024')
    .replaceAll('${', () => '$${');

/** The value of the expression that is generated for a literal. */
function generated(code: string): unknown {
  const program = readSources(new Map([['main.pp', `a = ${code}\n`]]));
  const files = projectFiles({
    program,
    project: '{"name":"shop"}',
    models: new Map(),
    dependencies: new Map(),
  });
  const [, expression] = /^const a = ([\s\S]*);\n*$/m.exec(files.get('index.ts') ?? '') ?? [];
  return new Function(`'use strict'; return (${expression ?? ''});`)();
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
