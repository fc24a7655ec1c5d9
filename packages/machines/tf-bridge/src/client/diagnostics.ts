import type { ProviderMethods, PathStep, TfPath } from '@cairn/tfplugin';
import type { ResponseOf } from '@cairn/wire/caller';

/** What a provider tells people about a call. */
export interface TfDiagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  /** May be empty. */
  readonly detail: string;
  /** What it is about; absent: the whole. */
  readonly path?: TfPath;
}

type Messages = ResponseOf<ProviderMethods['planResourceChange']>;

/** Diagnostics of an answer. One without a severity counts as an error. */
export function readDiagnostics(messages: Messages['diagnostics']): readonly TfDiagnostic[] {
  return messages.map(({ severity, summary, detail, attribute }) => ({
    severity: severity === 2 ? 'warning' : 'error',
    summary,
    detail,
    ...(attribute !== undefined && attribute.steps.length > 0 && { path: readPath(attribute) }),
  }));
}

/** A path of an answer; it ends before a step of a kind that is not known. */
export function readPath({ steps }: Messages['requiresReplace'][number]): TfPath {
  const path: PathStep[] = [];
  for (const { selector } of steps) {
    if (selector === undefined) break;
    path.push(selector.$case === 'elementKeyString' ? { key: selector.value } : selector.value);
  }
  return path;
}

/** Whether some of these is an error. */
export function hasErrors(diagnostics: readonly TfDiagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}
