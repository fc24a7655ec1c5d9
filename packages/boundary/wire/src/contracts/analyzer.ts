import type { PropertyMap } from '@cairn/values';

/**
 * A policy pack: looks at resources and says what is wrong with them, and may correct their inputs. Implemented by the
 * client adapter for packs in other processes. Methods refuse with {@link StatusError}.
 */
// Rules: [POL-1] to [POL-8].
export interface Analyzer {
  /** Tells the pack which stack it works on; before anything else. Packs that do not care answer as well. */
  configureStack(request: AnalyzerStack): Promise<void>;
  getPluginInfo(): Promise<{ readonly version: string }>;
  getAnalyzerInfo(): Promise<AnalyzerInfo>;
  /** Settings by policy name. Only for packs that support it. */
  configure(settings: Readonly<Record<string, PolicySettings>>): Promise<void>;
  /** Corrections of one resource, in order; each is made on top of the one before. */
  remediate(resource: AnalyzedResource): Promise<Remediations>;
  /** What is wrong with one resource. */
  analyze(resource: AnalyzedResource): Promise<Analysis>;
  /** What is wrong with the stack as a whole. */
  analyzeStack(resources: readonly AnalyzedStackResource[]): Promise<Analysis>;
  /** Asks it to give up what it is doing. */
  cancel(): Promise<void>;
  /** Lets go of the pack; its process ends. Never throws. */
  close(): Promise<void>;
}

/** How much a policy matters. `mandatory` makes the resource invalid; `remediate` counts as that in an analysis. */
export type EnforcementLevel = 'advisory' | 'mandatory' | 'disabled' | 'remediate';

export type PolicySeverity = 'unspecified' | 'low' | 'medium' | 'high' | 'critical';

/** What a policy looks at; `unknown`: it does not say. */
export type PolicyType = 'unknown' | 'resource' | 'stack';

/** The stack that packs work on. */
export interface AnalyzerStack {
  readonly organization: string;
  readonly project: string;
  readonly stack: string;
  readonly dryRun: boolean;
  /** `namespace:name` to text; structured values as compact JSON. */
  readonly config: Readonly<Record<string, string>>;
  readonly configSecretKeys: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

/** What a pack says about itself. */
export interface AnalyzerInfo {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly supportsConfig: boolean;
  readonly policies: readonly PolicyInfo[];
  /** Settings the pack starts with, by policy name. */
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
  /** JSON schemas of its settings by name, and which of them must be there. Undefined: it has no settings. */
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

/** One resource as a pack sees it. */
export interface AnalyzedResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** Checked inputs; for the stack as a whole, outputs. */
  readonly properties: PropertyMap;
  readonly options: AnalyzedOptions;
  /** Its provider with the provider's inputs; undefined where it has none. */
  readonly provider: AnalyzedProvider | undefined;
}

/** One resource of the whole stack. */
export interface AnalyzedStackResource extends AnalyzedResource {
  readonly parent: string;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
}

export interface AnalyzedOptions {
  readonly protect: boolean;
  readonly ignoreChanges: readonly string[];
  /** Undefined: the program does not say. */
  readonly deleteBeforeReplace: boolean | undefined;
  readonly additionalSecretOutputs: readonly string[];
  /** URNs. */
  readonly aliases: readonly string[];
  /** Seconds; 0: none. */
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

/** What an analysis found. */
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
  /** Empty: the stack. */
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

/** With a diagnostic nothing was corrected; without one the properties replace the inputs. */
export interface Remediation {
  readonly policyName: string;
  readonly policyPackName: string;
  readonly policyPackVersion: string;
  readonly description: string;
  readonly properties: PropertyMap;
  readonly diagnostic: string;
}
