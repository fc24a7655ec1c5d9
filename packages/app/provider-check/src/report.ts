import type { Capabilities, TypeExtras } from '@cairn/wire';

/** Result of a promise: it was kept, it was broken, the provider does not make it, or it could not be tried. */
export type PromiseVerdict = 'kept' | 'broken' | 'not-promised' | 'not-tried';

/** One promise that was tried. */
export interface Finding {
  readonly promise: string;
  readonly verdict: PromiseVerdict;
  /** Observation; empty when there is nothing to add. */
  readonly detail: string;
}

/** Findings about one resource type. */
export interface ResourceReport {
  readonly type: string;
  readonly name: string;
  readonly promises: TypeExtras;
  readonly findings: readonly Finding[];
  /** Questions of the engine to a person when an operation is cut short, or before it rolls something back. */
  readonly questions: readonly string[];
}

/** Findings about a provider. */
export interface ProviderReport {
  readonly provider: string;
  readonly version: string;
  readonly capabilities: Capabilities;
  readonly findings: readonly Finding[];
  readonly resources: readonly ResourceReport[];
}

/** Returns the broken promises of a report, including those of every resource. */
export function brokenPromises({ findings, resources }: ProviderReport): readonly Finding[] {
  return [...findings, ...resources.flatMap((each) => each.findings)].filter(
    ({ verdict }) => verdict === 'broken',
  );
}

export const kept = (promise: string, detail = ''): Finding => ({ promise, verdict: 'kept', detail });
export const broken = (promise: string, detail: string): Finding => ({ promise, verdict: 'broken', detail });
export const notPromised = (promise: string, detail: string): Finding => ({
  promise,
  verdict: 'not-promised',
  detail,
});
export const notTried = (promise: string, detail: string): Finding => ({
  promise,
  verdict: 'not-tried',
  detail,
});
