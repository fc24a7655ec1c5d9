import type { Analyzer, AnalyzerInfo, PolicyInfo, PolicySettings } from '@cairn/wire';
import type { PolicyPackSpec } from '../model/policy.js';

/** A policy pack that is ready to look at resources. */
export interface Pack {
  readonly analyzer: Analyzer;
  readonly info: AnalyzerInfo;
  readonly policies: ReadonlyMap<string, PolicyInfo>;
  /** Settings by policy name, as the pack was given them. */
  readonly settings: Readonly<Record<string, PolicySettings>>;
  /** Where it is, of a pack in a folder. */
  readonly directory?: string | undefined;
}

/** A pack from what it says about itself and what was settled with it. */
export function packOf(
  analyzer: Analyzer,
  info: AnalyzerInfo,
  settings: Readonly<Record<string, PolicySettings>>,
  directory?: string,
): Pack {
  const policies = new Map(info.policies.map((each) => [each.name, each]));
  return { analyzer, info, policies, settings, directory };
}

/** Whether the policy was turned off, by its declaration or by its settings. */
export function isDisabled({ settings }: Pack, policy: PolicyInfo): boolean {
  const settled = Object.hasOwn(settings, policy.name) ? settings[policy.name] : undefined;
  return (settled?.enforcementLevel ?? policy.enforcementLevel) === 'disabled';
}

/** What people call the pack before it has said its name. */
export function packLabel(pack: PolicyPackSpec): string {
  return pack.t === 'local' ? pack.directory : `${pack.name}@${pack.version}`;
}
