import type { ProviderMethods, PathStep, TfPath } from '@cairn/tfplugin';
import type { RpcResponse } from '@cairn/wire/caller';

/** A provider's message to the user about a call. */
export interface TfDiagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  /** Detail. May be empty. */
  readonly detail: string;
  /** Place that the message is about. Missing for the whole object. */
  readonly path?: TfPath;
}

type Messages = RpcResponse<ProviderMethods['planResourceChange']>;

/** Reads the diagnostics of an answer. One without a severity counts as an error. */
export function readDiagnostics(messages: Messages['diagnostics']): readonly TfDiagnostic[] {
  return messages.map(({ severity, summary, detail, attribute }) => ({
    severity: severity === 2 ? 'warning' : 'error',
    summary,
    detail,
    ...(attribute !== undefined && attribute.steps.length > 0 && { path: decodePath(attribute) }),
  }));
}

/** Reads a path of an answer. It ends before a step of unknown kind. */
export function decodePath({ steps }: Messages['requiresReplace'][number]): TfPath {
  const path: PathStep[] = [];
  for (const { selector } of steps) {
    if (selector === undefined) break;
    path.push(selector.$case === 'elementKeyString' ? { key: selector.value } : selector.value);
  }
  return path;
}

/** Tells whether any diagnostic is an error. */
export function hasErrors(diagnostics: readonly TfDiagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}
