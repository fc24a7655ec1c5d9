import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inPackage } from '../workspaces.mjs';

/**
 * Facts about the reference implementation of Terraform have ids `TF-…`, and each is a case of a test: an entry of a
 * file in `cases/`, whose tests carry its id, or the title of a test that is written out. Checks that no fact is
 * without one, and that deliberate differences are listed with their reasons and few.
 */

const TESTS = ['tfplugin/test', 'tfplugin/src', 'tf-bridge/test'].map(inPackage);
const readme = readFileSync(inPackage('tf-bridge/README.md'), 'utf8');

/** Numbers and ranges of numbers. */
const FACTS = `
  2 6-14 16-19 22-27 30-37 42-53 55 57-64 66 68 70-71 73-75 79-86 88-89 91 93-94 96-97 99-101 103-113
  116-121 123 126 128-130 133-147 152-156 158 161-165 167-175 177-181 183-184 192-194 196
  198-206 208 212 214 216-221 223-233 235-242 244 246 248 250-257 259-260 262 266-269 271-279 283-285
  287-288 290 292 294-295 297 300-304 306-308 311 313-315 317-319 321-330 334-338 340-343 345-356
  358-362 364-366 368-369 371-374 377-382 384-386 390 392-397
`;

const facts = FACTS.trim()
  .split(/\s+/)
  .flatMap((word) => {
    const [first = 0, last = first] = word.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => `TF-${String(first + at).padStart(3, '0')}`);
  });

const files = TESTS.flatMap((place) =>
  readdirSync(place, { recursive: true, encoding: 'utf8' }).map((file) => path.join(place, file)),
);
const textsOf = (ending: string): readonly string[] =>
  files.filter((file) => file.endsWith(ending)).map((file) => readFileSync(file, 'utf8'));

interface Case {
  readonly id?: string;
  readonly differs?: string;
}

/** Every object with an id in the files of cases, however deep. */
function* casesIn(json: unknown): Iterable<Case> {
  if (typeof json !== 'object' || json === null) return;
  if ('id' in json && typeof json.id === 'string') yield json as Case;
  for (const value of Object.values(json)) yield* casesIn(value);
}

const cases = textsOf('.json')
  .flatMap((text) => [...casesIn(JSON.parse(text))])
  .filter(({ id = '' }) => /^TF-\d+$/.test(id));
const written = textsOf('.test.ts').flatMap((text) => text.match(/(?<=['"`(, ])TF-\d{3}\b/g) ?? []);

test('every fact about the reference implementation has its case', () => {
  const covered = new Set([...cases.map(({ id }) => id), ...written]);
  expect(facts.filter((id) => !covered.has(id))).toEqual([]);
  expect([...covered].filter((id) => !facts.includes(id as string))).toEqual([]);
});

test('what is otherwise on purpose is at most 2 %, and the README says why', () => {
  const differing = cases.filter(({ differs }) => differs !== undefined).map(({ id }) => id as string);
  // Its orders are in a test that is written out.
  const others = [...new Set([...differing, 'TF-300'])];
  expect(others.length / facts.length).toBeLessThanOrEqual(0.02);
  expect(others.filter((id) => !readme.includes(id))).toEqual([]);
});
