import type { Analyzer, AnalyzerStack, EnforcementLevel } from '@cairn/wire';
import type { PropertyMap } from '@cairn/values';

/** A policy pack that an operation must pass. */
export type PolicyPackSpec = {
  /** What the user is to change about the pack's policies, by policy name; `all` is about every policy. */
  readonly settings: Readonly<Record<string, GivenSettings>>;
} & (
  | { readonly t: 'local'; readonly directory: string }
  /** Demanded by the backend, which also says where it is. */
  | {
      readonly t: 'required';
      readonly name: string;
      readonly version: string;
      readonly location: string;
    }
);

/** What a user says about one policy. */
export interface GivenSettings {
  readonly enforcementLevel: EnforcementLevel | undefined;
  readonly properties: PropertyMap;
}

/** Finds a policy pack, downloads and installs what is missing, starts it and greets it. */
export interface AnalyzerLoader {
  load(pack: PolicyPackSpec, stack: AnalyzerStack): Promise<Analyzer>;
}

/** What people call the pack before it has said its name. */
export function packLabel(pack: PolicyPackSpec): string {
  return pack.t === 'local' ? pack.directory : `${pack.name}@${pack.version}`;
}
