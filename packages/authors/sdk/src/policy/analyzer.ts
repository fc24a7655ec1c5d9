import { propertyMap, secretMask } from '@cairn/values';
import { StatusError } from '@cairn/wire';
import type {
  AnalyzedResource,
  AnalyzedStackResource,
  Analysis,
  Analyzer,
  AnalyzerInfo,
  AnalyzerStack,
  EnforcementLevel,
  PolicyDiagnostic,
  PolicyInfo,
  PolicyNotApplicable,
  PolicySettings,
  Remediation,
  Remediations,
} from '@cairn/wire';
import { describeProgramError } from '../runtime/program-error.js';
import { packDefinition } from './policy.js';
import type {
  Policy,
  PolicyContext,
  PolicyPack,
  PolicyPackDefinition,
  PolicyResource,
  PolicyStackResource,
  ReportingContext,
  ResourcePolicy,
} from './policy.js';
import { settingValues } from './settings.js';
import { NotApplicable, policyView, withCorrections } from './view.js';

/** Serves a pack to an engine. Errors of policies name pack, policy and line. */
export class PackAnalyzer implements Analyzer {
  readonly #pack: PolicyPackDefinition;
  #configured: Readonly<Record<string, PolicySettings>> = {};
  #stack: AnalyzerStack = {
    organization: '',
    project: '',
    stack: '',
    dryRun: false,
    config: {},
    configSecretKeys: [],
    tags: {},
  };
  readonly #version: string;
  readonly #directory: string;

  /** `version` applies to a pack without one. `directory` is that of the pack; paths in errors are relative to it. */
  constructor(pack: PolicyPack, version: string, directory: string) {
    this.#version = version;
    this.#directory = directory;
    this.#pack = packDefinition(pack);
  }

  async configureStack(stack: AnalyzerStack): Promise<void> {
    this.#stack = stack;
  }

  async getPluginInfo(): Promise<{ readonly version: string }> {
    return { version: this.#packVersion };
  }

  async getAnalyzerInfo(): Promise<AnalyzerInfo> {
    const { name, displayName = '', description = '', policies } = this.#pack;
    return {
      ...{ name, displayName, description, version: this.#packVersion },
      supportsConfig: true,
      policies: policies.map((policy) => policyInfo(policy, this.#ownLevel(policy))),
      initialConfig: {},
    };
  }

  async configure(settings: Readonly<Record<string, PolicySettings>>): Promise<void> {
    this.#configured = settings;
  }

  async remediate(resource: AnalyzedResource): Promise<Remediations> {
    const remediations: Remediation[] = [];
    const notApplicable: PolicyNotApplicable[] = [];
    let { properties } = resource;
    for (const policy of this.#pack.policies.filter(isResourcePolicy)) {
      const { definition } = policy;
      if (definition.remediate === undefined || this.#level(policy) !== 'remediate') continue;
      const seen = seenBy({ ...resource, properties });
      const corrections = await this.#applied(policy, resource, notApplicable, (context) =>
        definition.remediate?.(seen, context),
      );
      if (corrections === undefined || Object.keys(corrections).length === 0) continue;
      properties = withCorrections(properties, corrections);
      remediations.push({ ...this.#namesOf(policy), properties, diagnostic: '' });
    }
    return { remediations, notApplicable };
  }

  async analyze(resource: AnalyzedResource): Promise<Analysis> {
    const policies = this.#pack.policies.filter(isResourcePolicy);
    return this.#validated(policies, resource, ({ definition }, context) =>
      definition.validate?.(seenBy(resource), context),
    );
  }

  async analyzeStack(resources: readonly AnalyzedStackResource[]): Promise<Analysis> {
    const seen = resources.map(seenInStack);
    const policies = this.#pack.policies.filter(({ kind }) => kind === 'stack');
    return this.#validated(policies, undefined, ({ kind, definition }, context) =>
      kind === 'stack' ? definition.validate(seen, context) : undefined,
    );
  }

  async cancel(): Promise<void> {}

  async close(): Promise<void> {}

  async #validated<P extends Policy>(
    policies: readonly P[],
    resource: AnalyzedResource | undefined,
    validate: (policy: P, context: ReportingContext) => unknown,
  ): Promise<Analysis> {
    const notApplicable: PolicyNotApplicable[] = [];
    const found = await Promise.all(
      policies.map(async (policy) => {
        const level = this.#level(policy);
        const diagnostics: PolicyDiagnostic[] = [];
        if (level === 'disabled') return diagnostics;
        const report = (message: string, urn = resource?.urn ?? ''): void => {
          const { severity = 'unspecified' } = policy.definition;
          // A violation that remains after the correction must not pass.
          const enforcementLevel = level === 'remediate' ? 'mandatory' : level;
          const names = this.#namesOf(policy);
          // Engines show the message alone.
          const told = [names.description, message].filter((text) => text !== '').join('\n');
          diagnostics.push({ ...names, message: told, enforcementLevel, urn, severity });
        };
        await this.#applied(policy, resource, notApplicable, (context) =>
          validate(policy, { ...context, report }),
        );
        return diagnostics;
      }),
    );
    return { diagnostics: found.flat(), notApplicable };
  }

  /**
   * Runs a policy, unless it is about other types. If it does not apply, returns undefined and adds a line to the list.
   */
  async #applied<T>(
    policy: Policy,
    resource: AnalyzedResource | undefined,
    notApplicable: PolicyNotApplicable[],
    run: (context: PolicyContext) => T | Promise<T>,
  ): Promise<T | undefined> {
    const policyName = policy.definition.name;
    if (resource !== undefined && !isAbout(policy, resource.type)) {
      notApplicable.push({ policyName, reason: 'it is about other types' });
      return undefined;
    }
    const given = this.#configured[policyName]?.properties;
    const config = settingValues(
      policy.definition.settings ?? {},
      given === undefined ? {} : policyView(given),
    );
    try {
      return await run({ config, stack: this.#stack, notApplicable: endPolicy });
    } catch (error) {
      if (error instanceof NotApplicable) {
        notApplicable.push({ policyName, reason: error.message });
        return undefined;
      }
      const secrets = resource === undefined ? [] : [resource.properties];
      const said = secretMask(secrets)(describeProgramError(error, this.#directory));
      const about = resource === undefined ? 'the stack' : resource.urn;
      throw new StatusError(
        'UNKNOWN',
        `policy "${policyName}" of ${this.#pack.name} failed on ${about}: ${said}`,
      );
    }
  }

  #ownLevel(policy: Policy): EnforcementLevel {
    return policy.definition.enforcementLevel ?? this.#pack.enforcementLevel ?? 'advisory';
  }

  #level(policy: Policy): EnforcementLevel {
    const { all, [policy.definition.name]: own } = this.#configured;
    return own?.enforcementLevel ?? all?.enforcementLevel ?? this.#ownLevel(policy);
  }

  get #packVersion(): string {
    return this.#pack.version ?? this.#version;
  }

  #namesOf({ definition }: Policy) {
    return {
      policyName: definition.name,
      policyPackName: this.#pack.name,
      policyPackVersion: this.#packVersion,
      description: definition.description ?? '',
    };
  }
}

const isResourcePolicy = (policy: Policy): policy is ResourcePolicy => policy.kind === 'resource';

function isAbout(policy: Policy, type: string): boolean {
  if (policy.kind === 'stack' || policy.definition.of === undefined) return true;
  return [policy.definition.of].flat().includes(type);
}

function endPolicy(reason: string): never {
  throw new NotApplicable(reason);
}

function policyInfo({ kind, definition }: Policy, enforcementLevel: EnforcementLevel): PolicyInfo {
  const { name, displayName = '', description = '', severity = 'unspecified', settings = {} } = definition;
  const entries = Object.entries(settings);
  const required = entries.filter(([, { optional, fallback }]) => !optional && fallback === undefined);
  return {
    ...{ name, displayName, description, enforcementLevel, severity, type: kind },
    message: '',
    configSchema:
      entries.length === 0
        ? undefined
        : {
            properties: propertyMap(
              Object.fromEntries(entries.map(([key, { schema }]) => [key, schema])) as never,
            ),
            required: required.map(([key]) => key),
          },
  };
}

function seenBy({ urn, type, name, properties, options, provider }: AnalyzedResource): PolicyResource {
  const of = provider && {
    ...{ urn: provider.urn, type: provider.type, name: provider.name },
    props: policyView(provider.properties),
  };
  return { urn, type, name, options, props: policyView(properties), provider: of };
}

function seenInStack(resource: AnalyzedStackResource): PolicyStackResource {
  const { parent, dependencies, propertyDependencies } = resource;
  return { ...seenBy(resource), parent, dependencies, propertyDependencies };
}
