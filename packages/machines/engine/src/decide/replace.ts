import type { Urn } from '@cairn/addresses';
import { errorDiagnostic, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { getProperty } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { Cell } from '../model/cell.js';
import { createReplacement, goalEntry, removeFirst, replace } from '../model/make-step.js';
import type { Reason } from '../model/reason.js';
import { noDiff } from '../model/step.js';
import type { StepDiff } from '../model/step.js';
import { analyzeInputs } from './analyze.js';
import { checkInputs, checkedInputs, recheckInputs, recheckedInputs } from './check-inputs.js';
import { condemnedBy } from './condemn.js';
import { deletesUntargeted } from './delete-limits.js';
import { comparedEntry, comparedCell, deletedAhead } from './facts.js';
import type { Facts } from './facts.js';
import { shortValueText } from './value-text.js';
import { carryOut, refuse } from './verdict.js';
import type { Verdict } from './verdict.js';

/** Reason and manner of a replacement. */
interface Replacement {
  readonly diff: StepDiff;
  readonly reason: Reason;
  /** True if the provider asks for delete-first. The resource option overrides it. */
  readonly deleteFirst: boolean;
}

/**
 * Replaces a resource, from start to end [DIFF-8] [DEL-4] [IMP-1]. Create-first creates the new object, and deletes the
 * old one at the end of the operation. Delete-first deletes everything that cannot exist without the old object,
 * dependents first. Then it deletes the old object and creates the new one. Only a program that is run to bring
 * resources to their goals deletes anything ahead.
 */
export function replaceResource(facts: Facts, how: Replacement): Verdict {
  const prior = comparedEntry(facts);
  const cell = comparedCell(facts);
  if (prior === undefined || cell === undefined) return recheckInputs(facts) ?? carryOut([]);

  const objections = [
    ...unexpected(facts, how),
    ...protection(facts, prior),
    ...importedId(facts, prior, how.diff),
  ];
  if (objections.length > 0 && !facts.policy.preview) return refuse(...objections);
  const recheck = recheckInputs(facts);
  if (recheck !== undefined) return recheck;

  const entry = goalEntry(facts.goal, recheckedInputs(facts), facts.oldUrn);
  const start = replace(prior, entry, how.diff, how.reason);
  const fresh = createReplacement(cell, prior, entry, how.diff, how.reason);
  const deleteFirst = facts.goal.deleteBeforeReplace ?? how.deleteFirst;
  if (!deleteFirst || !prior.custom || facts.policy.mode !== 'apply')
    return carryOut([fresh, start], objections);

  const condemned =
    facts.answers.imported === undefined ? condemnedBy(facts, cell) : { t: 'known' as const, entries: [] };
  if (condemned.t === 'ask') {
    const { urn } = facts.goal;
    return { t: 'ask', question: { t: 'dependent-diffs', urn, dependents: condemned.dependents } };
  }
  const cells = condemned.entries.map((each) => each.cell);
  const blocked = [...protectedAmong(cells, facts, prior.urn), ...outOfScopeAmong(cells, facts, prior.urn)];
  if (blocked.length > 0 && !facts.policy.preview) return refuse(...blocked);

  const going = new Set<Urn>([prior.urn, ...condemned.entries.map((each) => each.cell.entry.urn)]);
  const goesToo = (urn: Urn) => going.has(urn) || facts.view.isReplaced(urn);
  const deletes = condemned.entries
    .toReversed()
    .map(({ cell: each, reason }) => removeFirst(each, how.diff, reason, goesToo));
  const own = removeFirst(cell, how.diff, how.reason, goesToo);
  return carryOut([...deletes, own, start, fresh], [...objections, ...blocked], condemned.entries);
}

/**
 * Creates an object that is already gone: deleted ahead of its registration, or by an earlier run that got no further
 * [DIFF-8] [DIFF-11].
 */
export function recreateResource(facts: Facts): Verdict | undefined {
  const { prior, cell } = facts;
  if (prior === undefined || cell === undefined || facts.answers.imported !== undefined) return undefined;
  if (!deletedAhead(facts) && !prior.pendingReplacement) return undefined;
  const check = checkInputs(facts) ?? analyzeInputs(facts);
  if (check !== undefined) return check;
  const reason: Reason = facts.view.condemnation(cell) ?? { t: 'interrupted' };
  const entry = goalEntry(facts.goal, recheckedInputs(facts), facts.oldUrn);
  return carryOut([
    replace(prior, entry, noDiff, reason),
    createReplacement(cell, prior, entry, noDiff, reason),
  ]);
}

function unexpected({ policy, goal }: Facts, { diff }: Replacement): readonly Diagnostic[] {
  if (policy.refusesReplacements !== true) return [];
  const { urn, type, name } = goal;
  return [
    errorDiagnostic(
      'CAIRN-UNEXPECTED-REPLACEMENT',
      `cannot replace ${type} "${name}": no replacements are expected`,
      {
        ...{ urn, common: 'cannot replace: no replacements are expected' },
        causes: diff.replaceKeys.map((key) => `${key} cannot be changed in place`),
        hint: 'Undo the change that needs a new object, or leave --expect-no-replacements out.',
      },
    ),
  ];
}

function protection(facts: Facts, prior: ResourceEntry): readonly Diagnostic[] {
  if (!prior.protect || !facts.goal.protect || facts.policy.ignoreProtect) return [];
  const { urn, type, name } = facts.goal;
  return [
    errorDiagnostic('CAIRN-RESOURCE-PROTECTED', `cannot replace ${type} "${name}": it is protected`, {
      ...{ urn, common: 'cannot replace: it is protected' },
      hint: 'Set protect to false and run up, or undo the change that needs a new object.',
    }),
  ];
}

function protectedAmong(cells: readonly Cell[], { policy }: Facts, root: Urn): readonly Diagnostic[] {
  if (policy.ignoreProtect) return [];
  return cells.filter((cell) => cell.entry.protect).map((cell) => protectedDependent(cell, root));
}

/**
 * Returns errors for entries that the user did not name, or has excluded: they are not deleted with a target [TGT-9].
 */
function outOfScopeAmong(cells: readonly Cell[], { scope }: Facts, root: Urn): readonly Diagnostic[] {
  const { targets, targetDependents, excludes } = scope;
  if (targets.constrained && !targetDependents) {
    return cells
      .filter((cell) => !targets.names(cell.entry.urn))
      .map((cell) => deletesUntargeted(cell.entry.urn));
  }
  return cells
    .filter((cell) => excludes.names(cell.entry.urn))
    .map(({ entry: { urn } }) =>
      errorDiagnostic(
        'CAIRN-TARGET',
        `cannot replace ${root}: its object goes first, ${urn} cannot live without it and is excluded`,
        { urn, hint: `Exclude ${root} as well, or do not exclude ${urn}.` },
      ),
    );
}

function protectedDependent(cell: Cell, root: Urn): Diagnostic {
  const { urn } = cell.entry;
  return errorDiagnostic(
    'CAIRN-RESOURCE-PROTECTED',
    `cannot replace ${urn} as part of replacing ${root}: it is protected`,
    {
      ...{ urn, common: `cannot replace as part of replacing ${root}: it is protected` },
      hint: 'Set protect to false and run up, or undo the change that needs a new object.',
    },
  );
}

function importedId(facts: Facts, prior: ResourceEntry, diff: StepDiff): readonly Diagnostic[] {
  const { goal } = facts;
  if (goal.importId === '') return [];
  const make = facts.policy.preview ? warningDiagnostic : errorDiagnostic;
  const keys = diff.replaceKeys.join(', ');
  const inputs = checkedInputs(facts);
  return [
    make(
      'CAIRN-RESOURCE-OPTION',
      `imported resources that still specify an id cannot be replaced: "${goal.name}" needs a new object because of ${keys}`,
      {
        urn: goal.urn,
        causes: diff.replaceKeys.map((key) => replacingCause(key, prior, getProperty(inputs, key))),
        hint: 'Make the program describe the imported object, or remove the import option.',
      },
    ),
  ];
}

/** Describes the property that makes a new object necessary. The program does not set every such property. */
function replacingCause(key: string, { inputs, outputs, id }: ResourceEntry, wanted?: PropertyValue): string {
  const known = getProperty(inputs, key) ?? getProperty(outputs, key) ?? (key === 'id' ? id : undefined);
  const [was, is] = [shortValueText(known), shortValueText(wanted)];
  if (wanted === undefined) return `${key}: ${was} => a new one, says its provider`;
  return was === is ? `${key}: ${was}, which its provider does not keep` : `${key}: ${was} => ${is}`;
}
