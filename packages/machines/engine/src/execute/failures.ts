import { isProviderType, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { DESCRIPTORS_HINT, errorDiagnostic, isCairnError, saysOutOfDescriptors } from '@cairn/diagnostics';
import type { CairnError, Diagnostic } from '@cairn/diagnostics';
import {
  asProviderError,
  isInitFailed,
  isInputProperties,
  isInvalidAnswer,
  isProviderError,
} from '@cairn/wire';
import type { InvalidAnswerError, ProviderError } from '@cairn/wire';
import type { StepKind } from '../model/step-kinds.js';
import { badAnswer } from '../providers/provider-answer.js';
import { BEGIN } from '../record/entries.js';
import type { Effect } from './effect.js';

/** Verbs for "cannot …". */
const VERB = {
  same: 'keep',
  create: 'create',
  update: 'update',
  delete: 'delete',
  replace: 'replace',
  'create-replacement': 'create the replacement of',
  'delete-replaced': 'delete the original of',
  read: 'read',
  'read-replacement': 'read',
  'read-discard': 'forget',
  'discard-replaced': 'forget',
  refresh: 'refresh',
  import: 'import',
  'import-replacement': 'import',
  'remove-pending-replace': 'forget',
} as const satisfies Record<StepKind, string>;

/** Provider call of each kind of step. */
const CALL = {
  same: 'configure',
  create: 'create',
  update: 'update',
  delete: 'delete',
  replace: 'create',
  'create-replacement': 'create',
  'delete-replaced': 'delete',
  read: 'read',
  'read-replacement': 'read',
  'read-discard': 'delete',
  'discard-replaced': 'delete',
  refresh: 'read',
  import: 'read',
  'import-replacement': 'read',
  'remove-pending-replace': 'delete',
} as const satisfies Record<StepKind, string>;

/**
 * Returns the effect of a call with a possible effect whose provider answered with an error or threw one. A failure in
 * the provider's answer ends the operation [PROV-16], and nothing is left pending. This includes UNKNOWN, the code of
 * every plain exception. In doubt remain calls without an answer, unreadable answers (INTERNAL) and those that report
 * lost data [PROV-16]. `cancelled`: the provider was asked to end its work. Then an answer leaves doubt unless its code
 * means that nothing was done.
 */
export function callFailure(kind: StepKind, urn: Urn, thrown: unknown, cancelled: boolean): Effect {
  const effect = hasEffect(kind, urn);
  if (isCairnError(thrown)) {
    const [diagnostic, ...also] = allLocated(thrown, kind, urn);
    const unread = isProviderError(thrown) && thrown.code === 'INTERNAL';
    return effect && (unread || LEAVES_DOUBT.has(diagnostic.code))
      ? { t: 'in-doubt', diagnostic }
      : { t: 'failed', diagnostic, also };
  }
  const error = asProviderError(thrown);
  if (isInvalidAnswer(error)) {
    const diagnostic = invalidAnswer(urn, CALL[kind], error);
    return { t: effect ? 'in-doubt' : 'failed', diagnostic };
  }
  const unsure = effect && (error.inDoubt || (cancelled && error.code === 'UNAVAILABLE'));
  const answered = error.code === 'UNKNOWN' && !cancelled;
  const diagnostic = errorDiagnostic(codeOf(error), `cannot ${VERB[kind]} ${urn}: ${error.message}`, {
    ...{ urn, common: `cannot ${VERB[kind]}: ${error.message}` },
    ...causesOf(error),
    hint: hintOf(error, !unsure ? CORRECT_HINT : answered ? answeredHint(kind) : IN_DOUBT_HINT),
  });
  return unsure && !answered ? { t: 'in-doubt', diagnostic } : { t: 'failed', diagnostic };
}

/** Makes the error of a question (check, diff) or of finding the provider: nothing can have happened. */
export function questionFailure(urn: Urn, what: string, thrown: unknown): OneOrMore<Diagnostic> {
  if (isCairnError(thrown)) return allLocated(thrown, 'same', urn);
  const error = asProviderError(thrown);
  if (isInvalidAnswer(error)) return [invalidAnswer(urn, what, error)];
  const common = `cannot ${what}: ${error.message}`;
  const more = { urn, common, ...causesOf(error), hint: hintOf(error, CORRECT_HINT) };
  return [errorDiagnostic(codeOf(error), `cannot ${what} ${urn}: ${error.message}`, more)];
}

/**
 * Returns the code of a provider's error. A provider without open files left reports that in words of its own, in any
 * language.
 */
const codeOf = ({ message }: ProviderError) =>
  saysOutOfDescriptors(message) ? 'CAIRN-DESCRIPTORS' : 'CAIRN-RESOURCE-FAILED';

const hintOf = ({ message }: ProviderError, hint: string): string =>
  saysOutOfDescriptors(message) ? `${DESCRIPTORS_HINT} ${hint}` : hint;

type OneOrMore<T> = readonly [T, ...T[]];

function allLocated({ diagnostics: [first, ...rest] }: CairnError, kind: StepKind, urn: Urn) {
  return [located(first, kind, urn), ...rest.map((each) => located(each, kind, urn))] as const;
}

function invalidAnswer(urn: Urn, call: string, { fault }: InvalidAnswerError): Diagnostic {
  const entry = { urn, type: urnType(urn) };
  return located(badAnswer({ entry, call, preview: false }, fault).diagnostics[0], 'same', urn);
}

/** Makes the error for an object that exists but is not ready, or that remains after its delete. */
export function initFailure(
  kind: StepKind,
  urn: Urn,
  error: ProviderError,
  reasons: readonly string[],
): Diagnostic {
  if (BEGIN[kind] === 'deleting')
    return errorDiagnostic('CAIRN-RESOURCE-FAILED', `cannot ${VERB[kind]} ${urn}: ${error.message}`, {
      urn,
      causes: reasons,
      hint: 'Correct the cause, then run the same command again. The resource is recorded in the state that its provider reported.',
    });
  return errorDiagnostic('CAIRN-RESOURCE-INIT-FAILED', `cannot ${VERB[kind]} ${urn}: ${error.message}`, {
    urn,
    causes: reasons,
    hint: 'Run up to try again to make it ready: the object exists and is recorded.',
  });
}

/** Returns the same effect of a failure with another reason than the last error. That error becomes a cause. */
export function explained(effect: Effect, kind: StepKind, urn: Urn, because: string): Effect {
  if (effect.t === 'done') return effect;
  const { diagnostic } = effect;
  const causes = [diagnostic.summary, ...(diagnostic.causes ?? [])];
  return {
    ...effect,
    diagnostic: {
      ...diagnostic,
      summary: `cannot ${VERB[kind]} ${urn}: ${because}`,
      common: `cannot ${VERB[kind]}: ${because}`,
      causes,
    },
  };
}

/** Makes the error for views of the resource that failed according to its provider. */
export function viewFailure(kind: StepKind, urn: Urn, failed: readonly FailedView[]): Diagnostic {
  const texts = failed.map(({ error }) => error).join('; ');
  const own = errorDiagnostic('CAIRN-RESOURCE-FAILED', `cannot ${VERB[kind]} ${urn}: ${texts}`, {
    urn,
    hint: CORRECT_HINT,
  });
  return withViewCauses(own, failed);
}

/** Returns the failure of a resource with the failures of its views as causes. */
export function withViewCauses(diagnostic: Diagnostic, failed: readonly FailedView[]): Diagnostic {
  const causes = failed.map(({ urn, error }) => `${urn}: ${error}`);
  return { ...diagnostic, causes: [...(diagnostic.causes ?? []), ...causes] };
}

interface FailedView {
  readonly urn: Urn;
  readonly error: string;
}

const CORRECT_HINT = 'Correct the cause and run again.';

/** Returns the hint after a failure that the provider answered without reporting its progress. */
function answeredHint(kind: StepKind): string {
  return kind === 'create' || kind === 'create-replacement'
    ? 'Correct the cause and run again. If it created something before it failed, remove that by hand: it returned no id.'
    : 'Correct the cause and run again. If it changed something before it failed, run refresh first.';
}

const IN_DOUBT_HINT =
  'Look at the object itself, then run refresh or up: it is unknown whether the provider did it.';

/** Errors of Cairn that occur after the provider may have acted. */
const LEAVES_DOUBT: ReadonlySet<string> = new Set(['CAIRN-PROVIDER-ANSWER', 'CAIRN-PLUGIN-DIED']);

/** Returns true if a call can have changed an object. Provider instances are not objects. */
function hasEffect(kind: StepKind, urn: Urn): boolean {
  if (isProviderType(urnType(urn))) return false;
  return kind === 'create' || kind === 'create-replacement' || kind === 'update' || kind.startsWith('delete');
}

function located(diagnostic: Diagnostic | undefined, kind: StepKind, urn: Urn): Diagnostic {
  if (diagnostic === undefined)
    return errorDiagnostic('CAIRN-RESOURCE-FAILED', `cannot ${VERB[kind]} ${urn}`, { urn });
  return diagnostic.urn === undefined ? { ...diagnostic, urn } : diagnostic;
}

function causesOf(error: ProviderError): { readonly causes?: readonly string[] } {
  if (isInputProperties(error)) return { causes: error.errors.map((each) => `${each.path}: ${each.reason}`) };
  if (isInitFailed(error)) return { causes: error.reasons };
  return {};
}
