import {
  afterApply,
  compatible,
  normalizeLegacy,
  planOutcome,
  planValidity,
  plannedUnknownObject,
  proposedNew,
} from '../src/contract/index.js';
import type { Attribute, Block } from '../src/schema/index.js';
import { impliedType } from '../src/schema/index.js';
import type { TfValue } from '../src/values/index.js';
import { conform } from '../src/values/index.js';
import { blockOf, valueOf, written } from '../src/notation/index.js';
import type { SchemaText } from '../src/notation/index.js';
import { Choices, randomSchema, randomValue } from './random.js';
import type { Json } from './random.js';

/** Properties of every schema and value. */

const SEEDS = Array.from({ length: 300 }, (_, seed) => seed + 1);

interface Given {
  readonly choices: Choices;
  readonly text: SchemaText;
  readonly block: Block;
  readonly prior: TfValue;
  readonly config: TfValue;
}

/** Runs a check on random schemas without write-only attributes, whose values a provider never returns. */
function each(check: (given: Given) => void): void {
  for (const seed of SEEDS) {
    const choices = new Choices(seed);
    const text = withoutWriteOnly(randomSchema(choices));
    const block = blockOf(text);
    const known = { nulls: 0.3, unknowns: 0 };
    const prior = choices.chance(0.2) ? null : valueOf(block, randomValue(choices, text, known));
    const config = valueOf(block, randomValue(choices, text, { nulls: 0.4, unknowns: 0.1, refined: true }));
    check({ choices, text, block, prior, config: configured(block, config) });
  }
}

function withoutWriteOnly(text: SchemaText): SchemaText {
  return JSON.parse(JSON.stringify(text).replaceAll('"OW"', '"O"')) as SchemaText;
}

/** Returns a configuration: attributes that only the provider sets are null in it. */
function configured(block: Block, value: TfValue): TfValue {
  const nulled = (attributes: ReadonlyMap<string, Attribute>, json: Record<string, Json>): Json =>
    Object.fromEntries(
      Object.entries(json).map(([name, each]) => {
        const attribute = attributes.get(name);
        return [name, attribute !== undefined && attribute.computed && !attribute.optional ? null : each];
      }),
    );
  const json = written(value) as Record<string, Json>;
  return valueOf(block, nulled(block.attributes, json));
}

test('a proposal is of the type of the schema', () => {
  each(({ block, prior, config }) => {
    expect(conform(impliedType(block), proposedNew(block, prior, config))).toEqual([]);
    expect(conform(impliedType(block), plannedUnknownObject(block, config))).toEqual([]);
  });
});

test('a proposal is a plan that a provider may give back', () => {
  each(({ block, prior, config }) => {
    const planned = proposedNew(block, prior, config);
    expect(planValidity(block, prior, config, planned)).toEqual([]);
  });
});

test('a proposal for what was proposed is the same, where everything was configured', () => {
  each(({ block, config }) => {
    const first = proposedNew(block, null, config);
    expect(written(proposedNew(block, first, config))).toEqual(written(first));
  });
});

test('a state is compatible with itself, and its plan does nothing', () => {
  each(({ block, prior }) => {
    if (prior === null) return;
    expect(compatible(block, prior, prior)).toEqual([]);
    const outcome = planOutcome(
      { block, prior, config: prior },
      { planned: prior, requiresReplace: [], legacy: false },
    );
    expect([outcome.findings, outcome.action, outcome.secondPlan]).toEqual([[], 'none', false]);
  });
});

test('everything is compatible with a plan of which nothing is known', () => {
  each(({ block, prior, text }) => {
    if (prior === null) return;
    const planned = valueOf(
      block,
      Object.fromEntries(Object.keys(text).map((name) => [name, { $unknown: true }])),
    );
    expect(compatible(block, planned, prior)).toEqual([]);
  });
});

test('normalising twice is normalising once', () => {
  each(({ block, config }) => {
    const once = normalizeLegacy(block, config);
    expect(conform(impliedType(block), once)).toEqual([]);
    expect(written(normalizeLegacy(block, once))).toEqual(written(once));
  });
});

test('what is saved after an apply is of the type of the schema, and known', () => {
  each(({ block, prior, config }) => {
    const planned = proposedNew(block, prior, config);
    const action = prior === null ? 'create' : 'update';
    const answer = { state: config, failed: false, legacy: false };
    const { saved } = afterApply({ block, action, prior, planned }, answer);
    if (saved.kind !== 'object') throw new Error('an object was returned');
    expect(conform(impliedType(block), saved.value)).toEqual([]);
    expect(JSON.stringify(written(saved.value))).not.toContain('$unknown');
  });
});
