import type { PropertyMap } from '@cairn/values';

/**
 * Policy pack: analyses resources, reports violations, and may correct inputs. The client adapter implements it for
 * packs in other processes. Methods refuse with {@link StatusError}.
 */
// Rules: [POL-1] to [POL-8].
export interface Analyzer {
  /** Sends the stack that the pack works on; the first call of all. Packs that do not use it answer as well. */
  configureStack(request: AnalyzerStack): Promise<void>;
  getPluginInfo(): Promise<{ readonly version: string }>;
  getAnalyzerInfo(): Promise<AnalyzerInfo>;
  /** Sends settings by policy name. Only for packs that support it. */
  configure(settings: Readonly<Record<string, PolicySettings>>): Promise<void>;
  /** Returns corrections of one resource, in order. Each builds on the one before. */
  remediate(resource: AnalyzedResource): Promise<Remediations>;
  /** Reports violations of one resource. */
  analyze(resource: AnalyzedResource): Promise<Analysis>;
  /** Reports violations of the stack as a whole. */
  analyzeStack(resources: readonly AnalyzedStackResource[]): Promise<Analysis>;
  /** Asks the pack to stop its work. */
  cancel(): Promise<void>;
  /** Closes the connection to the pack; its process ends. Never throws. */
  close(): Promise<void>;
}

/**
 * Enforcement level of a policy. `mandatory` makes the resource invalid; `remediate` counts as `mandatory` in an
 * analysis.
 */
export type EnforcementLevel = 'advisory' | 'mandatory' | 'disabled' | 'remediate';

export type PolicySeverity = 'unspecified' | 'low' | 'medium' | 'high' | 'critical';

/** Subject of a policy; `unknown` if the pack does not report it. */
export type PolicyType = 'unknown' | 'resource' | 'stack';

/** Stack that packs work on. */
export interface AnalyzerStack {
  readonly organization: string;
  readonly project: string;
  readonly stack: string;
  readonly dryRun: boolean;
  /** Texts by `namespace:name`; structured values as compact JSON. */
  readonly config: Readonly<Record<string, string>>;
  readonly configSecretKeys: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

/** Description that a pack gives of itself. */
export interface AnalyzerInfo {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly supportsConfig: boolean;
  readonly policies: readonly PolicyInfo[];
  /** Initial settings of the pack, by policy name. */
  readonly initialConfig: Readonly<Record<string, PolicySettings>>;
}

export interface PolicyInfo {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly message: string;
  readonly enforcementLevel: EnforcementLevel;
  readonly severity: PolicySeverity;
  readonly type: PolicyType;
  /** JSON schemas of the policy's settings by name, and the required ones. Undefined if it has no settings. */
  readonly configSchema: PolicyConfigSchema | undefined;
}

interface PolicyConfigSchema {
  readonly properties: PropertyMap;
  readonly required: readonly string[];
}

export interface PolicySettings {
  readonly enforcementLevel: EnforcementLevel;
  readonly properties: PropertyMap;
}

/** Resource as a pack sees it. */
export interface AnalyzedResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** Checked inputs. In a stack analysis, outputs. */
  readonly properties: PropertyMap;
  readonly options: AnalyzedOptions;
  /** The resource's provider with the provider's inputs. Undefined if it has none. */
  readonly provider: AnalyzedProvider | undefined;
}

/** Resource in an analysis of the whole stack. */
export interface AnalyzedStackResource extends AnalyzedResource {
  readonly parent: string;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
}

export interface AnalyzedOptions {
  readonly protect: boolean;
  readonly ignoreChanges: readonly string[];
  /** Undefined if the program does not set it. */
  readonly deleteBeforeReplace: boolean | undefined;
  readonly additionalSecretOutputs: readonly string[];
  /** URNs. */
  readonly aliases: readonly string[];
  /** Seconds; 0 means no timeout. */
  readonly customTimeouts: {
    readonly create: number;
    readonly update: number;
    readonly delete: number;
    readonly read: number;
  };
  readonly parent: string;
}

export interface AnalyzedProvider {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly properties: PropertyMap;
}

/** Findings of an analysis. */
export interface Analysis {
  readonly diagnostics: readonly PolicyDiagnostic[];
  readonly notApplicable: readonly PolicyNotApplicable[];
}

export interface PolicyDiagnostic {
  readonly policyName: string;
  readonly policyPackName: string;
  readonly policyPackVersion: string;
  readonly description: string;
  readonly message: string;
  readonly enforcementLevel: EnforcementLevel;
  /** Empty if the finding is about the stack. */
  readonly urn: string;
  readonly severity: PolicySeverity;
}

export interface PolicyNotApplicable {
  readonly policyName: string;
  readonly reason: string;
}

export interface Remediations {
  readonly remediations: readonly Remediation[];
  readonly notApplicable: readonly PolicyNotApplicable[];
}

/**
 * Result of one remediation. With a diagnostic nothing was corrected; without one the properties replace the inputs.
 */
export interface Remediation {
  readonly policyName: string;
  readonly policyPackName: string;
  readonly policyPackVersion: string;
  readonly description: string;
  readonly properties: PropertyMap;
  readonly diagnostic: string;
}
