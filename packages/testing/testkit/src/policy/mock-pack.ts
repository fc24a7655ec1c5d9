import type {
  Analysis,
  AnalyzedResource,
  AnalyzedStackResource,
  Analyzer,
  AnalyzerInfo,
  AnalyzerStack,
  PolicyDiagnostic,
  PolicyInfo,
  PolicySettings,
  Remediation,
  Remediations,
} from '@cairn/wire';
import { emptyMap } from '@cairn/values';

/** A test's definition of a policy pack. Omitted parts find nothing. */
export interface PackBehaviour {
  readonly name?: string;
  readonly version?: string;
  readonly supportsConfig?: boolean;
  readonly initialConfig?: AnalyzerInfo['initialConfig'];
  readonly policies?: readonly (Pick<PolicyInfo, 'name'> & Partial<PolicyInfo>)[];
  /** Error with which loading the pack fails. */
  readonly loadError?: Error;
  readonly analyze?: (resource: AnalyzedResource) => Partial<Analysis> | Promise<Partial<Analysis>>;
  readonly analyzeStack?: (resources: readonly AnalyzedStackResource[]) => Partial<Analysis>;
  readonly remediate?: (resource: AnalyzedResource) => Partial<Remediations>;
}

/** A policy pack in this process that records its calls. */
export class MockPack implements Analyzer {
  /** Calls so far, such as `configureStack`, `cancel`, `close`. */
  readonly calls: string[] = [];
  readonly analyzed: AnalyzedResource[] = [];
  readonly stacks: (readonly AnalyzedStackResource[])[] = [];
  stack: AnalyzerStack | undefined;
  settings: Readonly<Record<string, PolicySettings>> | undefined;

  constructor(readonly behaviour: PackBehaviour = {}) {}

  async configureStack(stack: AnalyzerStack): Promise<void> {
    this.calls.push('configureStack');
    this.stack = stack;
  }

  async getPluginInfo(): Promise<{ readonly version: string }> {
    return { version: this.behaviour.version ?? '1.0.0' };
  }

  async getAnalyzerInfo(): Promise<AnalyzerInfo> {
    const { name = 'pack', version = '1.0.0', supportsConfig = false, initialConfig = {} } = this.behaviour;
    const policies = (this.behaviour.policies ?? []).map(policyInfo);
    return { name, displayName: name, description: '', version, supportsConfig, policies, initialConfig };
  }

  async configure(settings: Readonly<Record<string, PolicySettings>>): Promise<void> {
    this.settings = settings;
  }

  async remediate(resource: AnalyzedResource): Promise<Remediations> {
    const { remediations = [], notApplicable = [] } = this.behaviour.remediate?.(resource) ?? {};
    return { remediations, notApplicable };
  }

  async analyze(resource: AnalyzedResource): Promise<Analysis> {
    this.analyzed.push(resource);
    const { diagnostics = [], notApplicable = [] } = (await this.behaviour.analyze?.(resource)) ?? {};
    return { diagnostics, notApplicable };
  }

  async analyzeStack(resources: readonly AnalyzedStackResource[]): Promise<Analysis> {
    this.stacks.push(resources);
    const { diagnostics = [], notApplicable = [] } = this.behaviour.analyzeStack?.(resources) ?? {};
    return { diagnostics, notApplicable };
  }

  async cancel(): Promise<void> {
    this.calls.push('cancel');
  }

  async close(): Promise<void> {
    this.calls.push('close');
  }
}

function policyInfo(policy: Pick<PolicyInfo, 'name'> & Partial<PolicyInfo>): PolicyInfo {
  return {
    displayName: policy.name,
    description: '',
    message: '',
    enforcementLevel: 'advisory',
    severity: 'unspecified',
    type: 'resource',
    configSchema: undefined,
    ...policy,
  };
}

/** Returns a finding with every field. */
export function policyDiagnostic(spec: Partial<PolicyDiagnostic> & { policyName: string }): PolicyDiagnostic {
  return {
    policyPackName: 'pack',
    policyPackVersion: '1.0.0',
    description: `${spec.policyName} is kept`,
    message: `${spec.policyName} is broken`,
    enforcementLevel: 'mandatory',
    urn: '',
    severity: 'unspecified',
    ...spec,
  };
}

/** Returns a correction with every field. */
export function remediation(spec: Partial<Remediation> & { policyName: string }): Remediation {
  return {
    policyPackName: 'pack',
    policyPackVersion: '1.0.0',
    description: '',
    properties: emptyMap,
    diagnostic: '',
    ...spec,
  };
}
