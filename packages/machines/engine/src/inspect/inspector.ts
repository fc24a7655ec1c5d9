import { urnName } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { BugError, unreachable, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { containsUnknown, formatPath, mapValues, UNKNOWN, unknownPath } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { Autonaming, CheckFailure, CheckRequest, DiffResponse } from '@cairn/wire';
import type { ContractWatch } from '../contract/watch.js';
import { promoteReplacements, wantsReplacement } from '../decide/replace-on-changes.js';
import { resolveUnknown } from '../decide/structural-diff.js';
import { dependentKey } from '../decide/verdict.js';
import type { Answers, DependentDiff, Question } from '../decide/verdict.js';
import type { Goal } from '../model/goal.js';
import { isOwedNaming, proposedName } from '../model/naming.js';
import { withDependencies } from '../model/output-values.js';
import type { Policies } from '../policy/policies.js';
import {
  answered,
  answeredDiff,
  answeredFailures,
  answeredProperties,
} from '../providers/provider-answer.js';
import type { ReadyProvider } from '../providers/ready-provider.js';

/** Ports that answering questions needs. */
export interface InspectorPorts {
  readonly preview: boolean;
  providerOf(
    resource: Pick<ResourceEntry, 'type' | 'provider' | 'urn'> & Partial<Pick<ResourceEntry, 'extensionRef'>>,
  ): Promise<ReadyProvider>;
  changeReplaces(from: ProviderReference, to: ProviderReference): Promise<boolean>;
  /** Returns the seed for names of a resource, 32 bytes. Requested once in a run. */
  seed(urn: Urn): Uint8Array;
  report(diagnostic: Diagnostic): void;
  /** Compares answers with earlier ones. */
  readonly contract: ContractWatch;
  /** Policy packs of the operation; `undefined` if none were requested. */
  readonly policies?: Policies | undefined;
}

type QuestionOf<T extends Question['t']> = Extract<Question, { readonly t: T }>;

/**
 * Asks a provider the question that `decide` has. Leaves no trace in state, so any number of questions may be open at a
 * time. Returns the answer as a change of the answers so far. Throws the error that the provider threw.
 */
export async function inspect(question: Question, answers: Answers, ports: InspectorPorts): Promise<Answers> {
  switch (question.t) {
    case 'check':
      return check(question, answers, ports);
    case 'diff':
      return { ...answers, diff: await diff(question, ports) };
    case 'provider-change':
      return { ...answers, providerReplaces: await ports.changeReplaces(question.from, question.to) };
    case 'analyze':
      return analyze(question, answers, ports);
    case 'dependent-diffs':
      return { ...answers, dependents: await dependentDiffs(question, answers, ports) };
    default:
      return unreachable(question);
  }
}

async function check(
  question: QuestionOf<'check'>,
  answers: Answers,
  ports: InspectorPorts,
): Promise<Answers> {
  const { goal, olds, oldOutputs, news, again } = question;
  reportSkipped(question, ports);
  const provider = await ports.providerOf(goal);
  const seed = answers.seed ?? ports.seed(goal.urn);
  const from = { entry: goal, call: 'check', preview: ports.preview };
  const answer = answered(
    from,
    await provider.check({
      urn: goal.urn,
      name: goal.name,
      type: goal.type,
      olds,
      oldOutputs,
      news,
      newsWithOutputs: carried(goal, news),
      randomSeed: seed,
      allowUnknowns: ports.preview,
      autonaming: nameFor(question, provider, seed, ports),
    }),
  );
  const told = answeredFailures(from, answer.failures);
  const failures = told.length > 0 || ports.preview ? told : leftOpen(news, answer.inputs);
  const inputs = failures.length > 0 ? news : answeredProperties(from, answer.inputs, 'inputs');
  if (failures.length === 0) ports.contract.checked(goal, news, inputs, olds);
  const checked = { inputs, failures };
  return again ? { ...answers, seed, recheck: checked } : { ...answers, seed, check: checked };
}

/** Returns the properties with their dependencies, if any property depends on something. */
function carried({ propertyDependencies }: Goal, news: PropertyMap): CheckRequest['newsWithOutputs'] {
  for (const key in propertyDependencies)
    if ((propertyDependencies[key] as readonly Urn[]).length > 0)
      return withDependencies(news, propertyDependencies);
  return undefined;
}

/**
 * Returns the failure for inputs that the program itself leaves unknown where all must be known. Applies only if the
 * answer has not filled them: the provider is not at fault for those.
 */
function leftOpen(news: PropertyMap, inputs: PropertyMap | undefined): readonly CheckFailure[] {
  const given = unknownPath(news);
  if (given === undefined || inputs === undefined || !containsUnknown(inputs)) return [];
  return [{ property: formatPath(given), reason: 'it is not known, and only a preview leaves values open' }];
}

/**
 * Returns the naming that the check receives. A provider without support for it receives none; the user gets a warning
 * where it matters [REG-15].
 */
function nameFor(
  { goal: { urn, type, name, naming }, again }: QuestionOf<'check'>,
  provider: ReadyProvider,
  seed: Uint8Array,
  ports: InspectorPorts,
): Autonaming | undefined {
  if (naming === undefined) return undefined;
  if (provider.capabilities.supportsAutonaming) return proposedName(naming.rule, name, seed);
  if (!again && isOwedNaming(naming) && !provider.unconfigured) {
    ports.report(
      warningDiagnostic(
        'CAIRN-CONFIG-INVALID',
        `${type} resource "${name}" has a custom autonaming setting, but its provider does not support it`,
        { urn, hint: 'Name the object in the program, or remove the setting for this type.' },
      ),
    );
  }
  return undefined;
}

function reportSkipped(question: QuestionOf<'check'>, ports: InspectorPorts): void {
  for (const path of question.skippedPaths) {
    ports.report({
      severity: 'info',
      code: 'CAIRN-RESOURCE-OPTION',
      summary: `ignoreChanges: "${path}" does not exist on both sides and is skipped`,
      urn: question.goal.urn,
    });
  }
}

async function diff(
  question: QuestionOf<'diff'>,
  ports: InspectorPorts,
): Promise<DiffResponse | 'unavailable'> {
  const { goal, prior, inputs } = question;
  const provider = await ports.providerOf(goal);
  if (provider.unconfigured) {
    ports.report(
      warningDiagnostic(
        'CAIRN-PROVIDER-CONFIG',
        `the inputs of the provider of ${goal.urn} are not known during preview, so its changes cannot be shown`,
        { urn: goal.urn, hint: 'Run the update to see what really changes.' },
      ),
    );
    return 'unavailable';
  }
  const from = { entry: goal, call: 'diff', preview: true };
  const answer = answeredDiff(
    from,
    await provider.diff({
      urn: goal.urn,
      name: goal.name,
      type: goal.type,
      id: prior.id,
      oldInputs: prior.inputs,
      oldOutputs: prior.outputs,
      news: inputs,
      allowUnknowns: ports.preview,
      ignoreChanges: goal.ignoreChanges,
    }),
  );
  ports.contract.diffed(goal, prior, inputs, answer);
  return answer;
}

async function analyze(
  { goal, inputs, again }: QuestionOf<'analyze'>,
  answers: Answers,
  { policies }: InspectorPorts,
): Promise<Answers> {
  if (policies === undefined) throw new BugError('an analysis is asked for without policy packs');
  if (again) return { ...answers, recorrected: await policies.again(goal, inputs) };
  return { ...answers, analysis: await policies.resource(goal, inputs) };
}

async function dependentDiffs(
  question: QuestionOf<'dependent-diffs'>,
  answers: Answers,
  ports: InspectorPorts,
): Promise<ReadonlyMap<string, boolean>> {
  const known = new Map(answers.dependents);
  const found = await Promise.all(question.dependents.map((dependent) => isReplaced(dependent, ports)));
  question.dependents.forEach(({ cell, keys }, index) => {
    known.set(dependentKey(cell.entry.urn, keys), found[index] === true);
  });
  return known;
}

/**
 * Asks for the diff of a dependent with the inputs in question unknown, then applies the stored replaceOnChanges
 * [DIFF-9].
 */
async function isReplaced({ cell, keys }: DependentDiff, ports: InspectorPorts): Promise<boolean> {
  const { entry } = cell;
  const provider = await ports.providerOf(entry);
  const unknown = new Set(keys);
  const news = mapValues(entry.inputs, (value, key) => (unknown.has(key) ? UNKNOWN : value));
  const from = { entry, call: 'diff', preview: true };
  const answer = answeredDiff(
    from,
    await provider.diff({
      urn: entry.urn,
      name: urnName(entry.urn),
      type: entry.type,
      id: entry.id,
      oldInputs: entry.inputs,
      oldOutputs: entry.outputs,
      news,
      allowUnknowns: true,
      ignoreChanges: entry.ignoreChanges,
    }),
  );
  const resolved = resolveUnknown(answer, entry.inputs, news, entry.ignoreChanges);
  return wantsReplacement(promoteReplacements(resolved, entry.replaceOnChanges));
}
