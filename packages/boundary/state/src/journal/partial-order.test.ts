import fc from 'fast-check';
import { rootStackUrn } from '@cairn/addresses';
import { checkIntegrity } from '../document/integrity.js';
import type { SerializedJournalEntry } from './journal-codec.js';
import { Replayer } from './replayer.js';
import { emptyDeployment, noManifest } from '../document/serialized.js';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';

/** One step of an operation on a stack of numbered resources, each of which may need lower ones. */
interface PlannedStep {
  readonly kind: 'same' | 'update' | 'replace' | 'delete' | 'create' | 'refresh';
  readonly resource: number;
  readonly fails: boolean;
}

const ROOT = rootStackUrn('p', 'dev');
const urnOf = (index: number): string => `urn:pulumi:dev::p::a:b:C::r${index}`;

function resource(index: number, needs: readonly number[], version = 0): SerializedResource {
  return {
    urn: urnOf(index),
    custom: true,
    id: `i${index}-${version}`,
    type: 'a:b:C',
    parent: ROOT,
    ...(needs.length === 0 ? {} : { dependencies: needs.map(urnOf) }),
    inputs: { version },
  };
}

const ROOT_OPERATION = 1000;
const root: SerializedResource = { urn: ROOT, custom: false, type: 'pulumi:pulumi:Stack' };

const plans = fc.integer({ min: 1, max: 7 }).chain((count) =>
  fc.record({
    needs: fc.tuple(
      ...Array.from({ length: count }, (_, index) =>
        fc.subarray(Array.from({ length: index }, (_unused, other) => other)),
      ),
    ),
    existing: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
    wanted: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
    kinds: fc.array(fc.constantFrom('same', 'update', 'replace', 'refresh'), {
      minLength: count,
      maxLength: count,
    }),
    failures: fc.array(fc.nat(6), { minLength: count, maxLength: count }),
    order: fc.infiniteStream(fc.nat(1000)),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
);

type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;

/** Returns a base in which needs of existing resources exist too, as in every stored state. */
function baseOf({ needs, existing }: Plan): SerializedDeployment {
  const there = new Set<number>();
  needs.forEach((each, index) => {
    if (existing[index] === true && each.every((other) => there.has(other))) there.add(index);
  });
  return {
    ...emptyDeployment,
    resources: [root, ...[...there].map((index) => resource(index, needs[index] ?? []))],
  };
}

/** Returns the steps of a program with these goals, closed in the same way. Deletes come after everything else. */
function stepsOf(
  { needs, wanted, kinds, failures }: Plan,
  base: SerializedDeployment,
): readonly PlannedStep[] {
  const there = new Set(base.resources.map(({ urn }) => urn));
  const goal = new Set<number>();
  const steps: PlannedStep[] = [];
  needs.forEach((each, index) => {
    if (wanted[index] !== true || !each.every((other) => goal.has(other))) return;
    goal.add(index);
    const kind = there.has(urnOf(index)) ? (kinds[index] as PlannedStep['kind']) : 'create';
    steps.push({ kind, resource: index, fails: failures[index] === 0 });
  });
  const gone = needs
    .map((_each, index) => index)
    .filter((index) => there.has(urnOf(index)) && !goal.has(index));
  for (const index of gone.reverse())
    steps.push({ kind: 'delete', resource: index, fails: failures[index] === 0 });
  return steps;
}

/** Returns the entries of one step, its begin first. `old` is the base index. */
function entriesOf(
  step: PlannedStep,
  operationId: number,
  plan: Plan,
  old: number,
): readonly Partial<SerializedJournalEntry>[] {
  const needs = plan.needs[step.resource] ?? [];
  const before = resource(step.resource, needs);
  const after = resource(step.resource, needs, operationId);
  const failed = { kind: 'failure', operationId } as const;
  const pair = (
    type: 'creating' | 'updating' | 'deleting',
    operated: SerializedResource,
    end: Partial<SerializedJournalEntry>,
  ): readonly Partial<SerializedJournalEntry>[] => [
    { kind: 'begin', operationId, operation: { type, resource: operated } },
    step.fails ? failed : { kind: 'success', operationId, ...end },
  ];
  switch (step.kind) {
    case 'same':
      return [
        { kind: 'begin', operationId },
        { kind: 'success', operationId, state: before, removeOld: old },
      ];
    case 'create':
      return pair('creating', after, { state: after });
    case 'update':
      return pair('updating', after, { state: after, removeOld: old });
    case 'replace':
      return pair('creating', after, { state: after, deleteOld: old });
    case 'delete':
      return pair('deleting', before, { removeOld: old });
    case 'refresh':
      return [
        { kind: 'begin', operationId },
        { kind: 'refresh-success', operationId, state: after, removeOld: old, isRefresh: true },
      ];
  }
}

/**
 * Runs the steps in some order that the engine may choose. A step begins when those that it waits for have ended. A
 * resource comes after its needs, a delete after all the rest and after its dependents. A step whose requirement failed
 * is skipped.
 */
function journalOf(plan: Plan, base: SerializedDeployment): readonly SerializedJournalEntry[] {
  const steps = stepsOf(plan, base);
  const waiting = new Map(steps.map((step) => [step.resource, step]));
  const open: { step: PlannedStep; rest: Partial<SerializedJournalEntry>[] }[] = [];
  const ended = new Map<number, boolean>();
  // The root stack comes first in every program.
  const entries: SerializedJournalEntry[] = [
    { kind: 'begin', sequenceId: 1, operationId: ROOT_OPERATION },
    { kind: 'success', sequenceId: 2, operationId: ROOT_OPERATION, state: root, removeOld: 0 },
  ];
  const settled = (index: number): boolean =>
    !waiting.has(index) && !open.some(({ step }) => step.resource === index);
  const ready = (step: PlannedStep): boolean => {
    const deletes = step.kind === 'delete';
    const first = steps.filter((other) =>
      deletes
        ? other.kind !== 'delete' || (plan.needs[other.resource] ?? []).includes(step.resource)
        : (plan.needs[step.resource] ?? []).includes(other.resource),
    );
    return first.every((other) => settled(other.resource));
  };
  const blocked = (step: PlannedStep): boolean =>
    step.kind === 'delete'
      ? steps.some(
          (other) =>
            other.fails &&
            (other.kind !== 'delete' || (plan.needs[other.resource] ?? []).includes(step.resource)),
        ) || steps.some((other) => ended.get(other.resource) === false)
      : (plan.needs[step.resource] ?? []).some((other) => ended.get(other) === false);
  let operations = 0;
  for (const choice of plan.order) {
    const startable = [...waiting.values()].filter(ready);
    if (startable.length + open.length === 0) break;
    const pick = choice % (startable.length + open.length);
    const start = startable[pick];
    if (start !== undefined) {
      waiting.delete(start.resource);
      if (blocked(start)) {
        ended.set(start.resource, false);
        continue;
      }
      operations += 1;
      const old = base.resources.findIndex(({ urn }) => urn === urnOf(start.resource));
      open.push({ step: start, rest: [...entriesOf(start, operations, plan, old)] });
    }
    const running = open[start === undefined ? pick - startable.length : open.length - 1];
    const entry = running?.rest.shift();
    if (running === undefined || entry === undefined) continue;
    entries.push({ sequenceId: entries.length + 1, ...entry } as SerializedJournalEntry);
    if (running.rest.length > 0) continue;
    open.splice(open.indexOf(running), 1);
    ended.set(running.step.resource, entry.kind !== 'failure');
  }
  return entries;
}

test('property: whatever an operation did in whatever order it may, every prefix of its journal replays to a state that passes', () => {
  let longest = 0;
  fc.assert(
    fc.property(plans, (plan) => {
      const base = baseOf(plan);
      expect(checkIntegrity(base, 'read').failure).toBeUndefined();
      const entries = journalOf(plan, base);
      longest = Math.max(longest, entries.length);
      const replayer = new Replayer(base, 'journal');
      for (const [index, entry] of entries.entries()) {
        replayer.add(entry);
        const after = replayer.generate(noManifest);
        expect({ index, failure: checkIntegrity(after, 'write').failure }).toEqual({
          index,
          failure: undefined,
        });
      }
    }),
    { numRuns: 300 },
  );
  expect(longest).toBeGreaterThan(8);
});
