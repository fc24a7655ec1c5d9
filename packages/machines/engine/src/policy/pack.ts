import type { Analyzer, AnalyzerInfo, PolicyInfo, PolicySettings } from '@cairn/wire';
import type { PolicyPackSpec } from '../model/policy.js';

/** A policy pack that is ready to analyze resources. */
export interface Pack {
  readonly analyzer: Analyzer;
  readonly info: AnalyzerInfo;
  readonly policies: ReadonlyMap<string, PolicyInfo>;
  /** Settings by policy name, as sent to the pack. */
  readonly settings: Readonly<Record<string, PolicySettings>>;
  /** Folder of the pack, if it is local. */
  readonly directory?: string | undefined;
}

/** Makes a pack from its own description and its reconciled settings. */
export function packOf(
  analyzer: Analyzer,
  info: AnalyzerInfo,
  settings: Readonly<Record<string, PolicySettings>>,
  directory?: string,
): Pack {
  const policies = new Map(info.policies.map((each) => [each.name, each]));
  return { analyzer, info, policies, settings, directory };
}

/** Tells whether the policy was turned off, by its declaration or by its settings. */
export function isDisabled({ settings }: Pack, policy: PolicyInfo): boolean {
  const settled = Object.hasOwn(settings, policy.name) ? settings[policy.name] : undefined;
  return (settled?.enforcementLevel ?? policy.enforcementLevel) === 'disabled';
}

/** Returns the label of the pack in messages until it has reported its name. */
export function packLabel(pack: PolicyPackSpec): string {
  return pack.t === 'local' ? pack.directory : `${pack.name}@${pack.version}`;
}
