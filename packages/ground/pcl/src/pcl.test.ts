import { Asset, UNKNOWN, propertyMap, secret } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import {
  bindSnippet,
  inputsOf,
  instancesOf,
  namesIn,
  parseSnippet,
  pathOf,
  resourceSchema,
} from './index.js';
import type { Scope, SnippetCode } from './index.js';

const names: Readonly<Record<string, PropertyValue>> = {
  res: propertyMap({ id: 'i', list: [{ name: 'a' }, { name: 'b' }], 'odd-key': 1, hidden: secret('s') }),
  later: UNKNOWN,
  half: propertyMap({ known: 1 }),
};
const scope: Scope = {
  variable: (name) => names[name],
  missing: (name) => (name === 'half' ? UNKNOWN : null),
  call: (name, args) =>
    name === 'echo' ? Promise.resolve(propertyMap({ said: args[0] ?? null })) : undefined,
};

const OPTIONS = new Set(['protect', 'customTimeouts', 'ignoreChanges']);
const parse = (code: string): SnippetCode => parseSnippet(code, OPTIONS);

async function inputs(code: string): Promise<PropertyMap> {
  return inputsOf(parse(code), scope);
}

test('an operation ends with its line, and goes on behind an operator', async () => {
  expect(await inputs('a = 1 +\n  2\nb = 3 == 3\nc = true && !false\nd = 1')).toEqual({
    ...{ a: 3, b: true, c: true, d: 1 },
  });
});

test.each<[string, PropertyValue]>([
  ['true', true],
  ['null == null', true],
  ['1.5e1', 15],
  ['-2 + 3 * 4', 10],
  ['(1 + 2) * 3', 9],
  ['7 % 4 - 1', 2],
  ['1 < 2 && !(2 <= 1) || false', true],
  ['1 == 1 ? "yes" : "no"', 'yes'],
  ['max(2, [1, 3]...)', 3],
  ['"a\\n\\t\\"\\\\\\u0041"', 'a\n\t"\\A'],
  ['"n ${1 + 1} ${true}"', 'n 2 true'],
  ['"$${kept}"', '${kept}'],
  ['"${[1]}"', [1]],
  ['[1, "b", [],]', [1, 'b', []]],
  ['{ a = 1, "b c": 2, (res.id) = 3 }', { a: 1, 'b c': 2, i: 3 }],
  ['{\n  a = 1\n  b = {\n c = 2 }\n}', { a: 1, b: { c: 2 } }],
  ['res.list[1].name', 'b'],
  ['res.list.0.name', 'a'],
  ['res["odd-key"]', 1],
  ['res.list[*].name', ['a', 'b']],
  ['res.list.*.name', ['a', 'b']],
  ['res.nothing', null],
  ['half.nothing', UNKNOWN],
  ['later.anything[3]', UNKNOWN],
  ['"x ${later.a}"', UNKNOWN],
  ['res.hidden', secret('s')],
  ['"x ${res.hidden}"', secret('x s')],
  ['unsecret(res.hidden)', 's'],
  ['[for x in res.list : x.name]', ['a', 'b']],
  ['[for i, x in res.list : i if x.name == "b"]', [1]],
  ['{ for k, v in { a = 1, b = 2 } : v => k }', { 1: 'a', 2: 'b' }],
  ['[for k, v in { b = 1, a = 2 } : "${k}${v}"]', ['a2', 'b1']],
  ['{ for x in ["a", "b", "a"] : x => 1... }', { a: [1, 1], b: [1] }],
  ['{ for i, x in ["a", "b", "a"] : x => i... if i > 0 }', { b: [1], a: [2] }],
  ['[for x in [1, res.hidden, 2] : x if x != "s"]', secret([1, 2])],
  ['{ for x in [1] : res.hidden => x }', secret({ s: 1 })],
  ['[for x in [1] : x if later == 1]', UNKNOWN],
  ['{ for x in [1] : later => x }', UNKNOWN],
  ['[for x in [1] : later]', [UNKNOWN]],
  ['range(3)', [0, 1, 2]],
  ['range(-2)', [0, -1]],
  ['range(1, 3)', [1, 2]],
  ['range(3, 1)', [3, 2]],
  ['range(1, 8, 3)', [1, 4, 7]],
  ['range(2, 2)', []],
  ['"100%%{x} 5%"', '100%{x} 5%'],
  ['toJSON({ b = [1, true], a = "x" })', '{"a":"x","b":[1,true]}'],
  ['toJSON({ a = res.hidden })', secret('{"a":"s"}')],
  ['toJSON([later])', UNKNOWN],
  ['join("-", split(",", "a,b"))', 'a-b'],
  ['length("abc") + length([1]) + length({ a = 1 })', 5],
  ['element(["a", "b"], 3)', 'b'],
  ['element(["a", "b", "c"], -1)', 'c'],
  ['element(["a", "b", "c"], -3)', 'a'],
  ['lookup({ a = 1 }, "b", 2)', 2],
  ['entries({ a = 1 })', [{ key: 'a', value: 1 }]],
  ['fromBase64(toBase64("ä"))', 'ä'],
  ['secret(1)', secret(1)],
  ['max(1, 3, 2)', 3],
  ['singleOrNone([])', null],
  ['stringAsset("t")', new Asset({ text: 't' })],
  ['echo("hi").said', 'hi'],
  ['<<EOT\nline ${1}\n two\nEOT', 'line 1\n two\n'],
  ['<<-EOT\n    a\n      b ${res.id}\n    EOT', 'a\n  b i\n'],
])('%s', async (code, value) => {
  expect(await inputs(`x = ${code}\n`)).toEqual(value === null ? {} : { x: value });
});

test('a body: attributes one a line, comments, one block of options', async () => {
  const code =
    '# one\na = 1 // two\n/* three\n */ b = 2\noptions {\n  protect = true\n  customTimeouts {\n create = "5m"\n }\n}\n';
  expect(await inputs(code)).toEqual({ a: 1, b: 2 });
  const { options } = parse(code);
  expect([...options.keys()]).toEqual(['protect', 'customTimeouts']);
});

test.each([
  ['a = 1\na = 2', "attribute 'a' occurs twice (line 2, column 1)"],
  ['a = ', 'a value was expected, found the end (line 1, column 5)'],
  ['a = "x', 'the text does not end'],
  ['a = 1 b = 2', 'the end of the line was expected'],
  ['a = [1 2]', '"," or "]" was expected'],
  ['thing {\n}', "unsupported block 'thing'"],
  ['options {\n}\noptions {\n}', "the block 'options' occurs twice"],
  ['options {\n  protekt = true\n}', "unknown resource option 'protekt' (line 2, column 3)"],
  ['a = }', 'a value was expected'],
])('%j is refused', (code, message) => {
  expect(() => parse(code)).toThrow(message);
});

test.each([
  ['a = "x" + 1', 'a number was expected, not a string'],
  ['a = "${[1]} x"', 'a text was expected, not a list'],
  ['a = 1 ? 2 : 3', 'true or false was expected'],
  ['a = res.list.name', 'a number was expected'],
  ['a = element([], 1)', 'the list is empty'],
  [
    'a = { for x in [1, 1] : "k" => x }',
    'makes the key "k" twice; write "..." after the value to make lists (line 1',
  ],
  ['a = { for x in [1] : null => x }', 'a text was expected, not null'],
  ['a = [for x in [1] : x if null]', 'true or false was expected, not null (line 1, column 26)'],
  ['a = range(1, 2, 0)', 'range: the step never reaches the end'],
  ['a = range(1, 2, -1)', 'range: the step never reaches the end'],
  ['a = range(1e9)', 'range: more than 100000 numbers'],
  ['a = range(1, 2, 3, 4)', 'range takes one to three numbers'],
])('%s cannot be computed', async (code, message) => {
  await expect(inputs(code)).rejects.toThrow(message);
});

const schema = resourceSchema(
  JSON.stringify({ resources: { 'p:m:t': { inputProperties: { a: {}, b: {} }, requiredInputs: ['b'] } } }),
  'p:m:t',
);
const context = {
  schema,
  references: new Set(['res']),
  functions: new Set(['echo']),
  ownPaths: new Set(['ignoreChanges']),
};

test.each([
  ['a = 1', "missing required attribute 'b'"],
  ['b = 1\nc = 2', "unsupported attribute 'c' (line 2, column 1)"],
  ['b = other.x', "undefined variable 'other'"],
  ['b = range.value', "undefined variable 'range'"],
  ['b = nothing(1)', "unknown function 'nothing'"],
])('%s does not fit', (code, message) => {
  expect(() => bindSnippet(parse(code), context)).toThrow(message);
});

test('code that fits', () => {
  const code =
    'b = [for x in res.list : "${x} ${range.value} ${toJSON(echo(1))}"]\noptions {\n  range = 2\n  ignoreChanges = [a]\n}';
  expect(() => bindSnippet(parse(code), context)).not.toThrow();
  expect(resourceSchema('{}', 'p:m:t')).toBeUndefined();
  expect(() => bindSnippet(parse('x = 1'), { ...context, schema: undefined })).not.toThrow();
});

test.each<[string, readonly string[], PropertyValue]>([
  ['2', ['-0', '-1'], { x: '0 0' }],
  ['["a", "b"]', ['-0', '-1'], { x: '0 a' }],
  ['{ k = "v" }', ['-k'], { x: 'k v' }],
])('a range of %s', async (range, suffixes, first) => {
  const code = parse(`x = "\${range.key} \${range.value}"\noptions {\n  range = ${range}\n}`);
  const instances = await instancesOf(code, scope);
  expect(instances.map(({ suffix }) => suffix)).toEqual(suffixes);
  expect(await inputsOf(code, instances[0]?.scope ?? scope)).toEqual(first);
});

test('a boolean range makes one or none; an unknown one cannot be planned', async () => {
  const count = async (range: string) =>
    (await instancesOf(parse(`options {\n  range = ${range}\n}`), scope)).length;
  expect([await count('true'), await count('false')]).toEqual([1, 0]);
  await expect(count('later')).rejects.toThrow('the range of a resource must be known');
  await expect(count('-1')).rejects.toThrow('must be a number, a list');
});

test('names and paths', () => {
  const of = (code: string) => {
    const found = parse(`x = ${code}`).attributes.get('x');
    if (found === undefined) throw new Error('no attribute');
    return found.value;
  };
  expect(namesIn(of('[for x in a.b : x + c[d.e]]')).map(({ name }) => name)).toEqual(['a', 'c', 'd']);
  expect(namesIn(of('[x, [for x in x : x], y]')).map(({ name }) => name)).toEqual(['x', 'x', 'y']);
  expect(pathOf(of('a.b[0]["k"]'))).toBe('a.b[0]["k"]');
  expect(pathOf(of('"tags[*].x"'))).toBe('tags[*].x');
  expect(pathOf(of('1 + 1'))).toBeUndefined();
});
