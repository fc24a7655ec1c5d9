import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  compatible,
  normalizeLegacy,
  planValidity,
  plannedUnknownObject,
  proposedNew,
  writeOnlyPaths,
} from '../src/contract/index.js';
import type { ContractFinding } from '../src/contract/index.js';
import type { Block } from '../src/schema/index.js';
import { impliedType } from '../src/schema/index.js';
import type { TfValue } from '../src/values/index.js';
import { conform } from '../src/values/index.js';
import { blockOf, parsePathNotation, valueOf, written } from '../src/notation/index.js';
import type { SchemaText } from '../src/notation/index.js';

/** Case of `cases/`, by the file of its function; `own-` files contain cases that were found in addition. */

interface Case {
  readonly id: string;
  readonly title: string;
  readonly schema: SchemaText;
  readonly expect: { readonly value?: unknown; readonly errors?: readonly Expected[] };
  readonly [side: string]: unknown;
}
interface Expected {
  readonly path: string;
  readonly code: string;
  readonly key?: string;
  readonly masked?: boolean;
}
type Read = (side: string) => TfValue;

const FUNCTIONS: Readonly<
  Record<string, (block: Block, read: Read) => TfValue | readonly ContractFinding[]>
> = {
  'proposed-new': (block, read) => proposedNew(block, read('prior'), read('config')),
  'planned-unknown-object': (block, read) => plannedUnknownObject(block, read('config')),
  'plan-validity': (block, read) => planValidity(block, read('prior'), read('config'), read('planned')),
  compatible: (block, read) => compatible(block, read('planned'), read('actual')),
  'normalize-legacy': (block, read) => normalizeLegacy(block, read('value')),
};

const folder = path.join(__dirname, 'cases');
const files = readdirSync(folder).filter((file) => file.replace(/^own-|\.json$/g, '') in FUNCTIONS);

describe.each(files)('%s', (file) => {
  const run = FUNCTIONS[file.replace(/^own-|\.json$/g, '')] as (typeof FUNCTIONS)[string];
  const cases = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as readonly Case[];

  test.each(cases.map((each) => [each.id, each.title, each] as const))('%s: %s', (_id, _title, each) => {
    const block = blockOf(each.schema);
    const answer = run(block, (side) => {
      const value = valueOf(block, each[side]);
      expect(conform(impliedType(block), value)).toEqual([]);
      return value;
    });
    if (each.expect.errors === undefined) {
      expect(conform(impliedType(block), answer as TfValue)).toEqual([]);
      expect(written(answer as TfValue)).toEqual(written(valueOf(block, each.expect.value)));
    } else
      expect(shown(answer as readonly ContractFinding[], each.expect.errors)).toEqual(
        inOrder(each.expect.errors),
      );
  });
});

/** Returns findings in the notation of cases; `masked` only if a case has it. */
function shown(findings: readonly ContractFinding[], expected: readonly Expected[]): readonly Expected[] {
  const keyed = expected.some(({ key }) => key !== undefined);
  const masks = expected.some(({ masked }) => masked);
  return inOrder(
    findings.map(({ path: at, code, key, masked }) => ({
      path: parsePathNotation(at),
      code,
      ...(keyed && key !== undefined && { key }),
      ...(masks && masked && { masked }),
    })),
  );
}

function inOrder(findings: readonly Expected[]): readonly Expected[] {
  const text = ({ path: at, code, key = '' }: Expected) => `${at} ${code} ${key}`;
  return [...findings].sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

const paths = JSON.parse(
  readFileSync(path.join(folder, 'write-only-paths.json'), 'utf8'),
) as readonly (Case & {
  readonly expect: { readonly paths: readonly string[] };
})[];

test.each(paths.map((each) => [each.id, each.title, each] as const))('%s: %s', (_id, _title, each) => {
  const block = blockOf(each.schema);
  const found = writeOnlyPaths(block, valueOf(block, each['value']));
  expect(found.map(parsePathNotation).sort()).toEqual(each.expect.paths);
});
