import { getProperty, isEmptyMap, isMap, newMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { AnalyzerInfo, PolicyInfo, PolicySettings } from '@cairn/wire';
import { schemaComplaints } from './json-schema.js';
import type { GivenSettings } from '../model/policy.js';

/** The name under which settings are about every policy of a pack. */
const ALL = 'all';

/** Settings of a pack as they come out, and what is wrong with what was given. */
interface ReconciledSettings {
  readonly settings: Readonly<Record<string, PolicySettings>>;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The settings of every policy of a pack: what the user gives for it, else for all, else what the pack starts with,
 * else what the policy declares (its level, the defaults of its schema). Values must fit the schema.
 */
export function reconcileSettings(
  info: AnalyzerInfo,
  given: Readonly<Record<string, GivenSettings>>,
): ReconciledSettings {
  const settings: Record<string, PolicySettings> = {};
  const errors: string[] = [];
  for (const policy of info.policies) {
    const own = settingsOf(policy, info, given);
    settings[policy.name] = own;
    errors.push(...complaintsOf(policy, own.properties));
  }
  const known = new Set([ALL, ...info.policies.map((policy) => policy.name)]);
  const warnings = Object.keys(given)
    .filter((name) => !known.has(name))
    .map((name) => `it has no policy "${name}"`);
  return { settings, errors, warnings };
}

function settingsOf(
  policy: PolicyInfo,
  { initialConfig }: AnalyzerInfo,
  given: Readonly<Record<string, GivenSettings>>,
): PolicySettings {
  const own = of(given, policy.name);
  const initial = of(initialConfig, policy.name);
  return {
    enforcementLevel:
      own?.enforcementLevel ??
      of(given, ALL)?.enforcementLevel ??
      initial?.enforcementLevel ??
      of(initialConfig, ALL)?.enforcementLevel ??
      policy.enforcementLevel,
    properties: Object.assign(newMap(), defaultsOf(policy), initial?.properties, own?.properties),
  };
}

function of<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function defaultsOf({ configSchema }: PolicyInfo): PropertyMap {
  const defaults = newMap();
  for (const [name, schema] of Object.entries(configSchema?.properties ?? {})) {
    const value = isMap(schema) ? getProperty(schema, 'default') : undefined;
    if (value !== undefined) defaults[name] = value;
  }
  return defaults;
}

function complaintsOf({ name, configSchema }: PolicyInfo, properties: PropertyMap): readonly string[] {
  if (configSchema === undefined) {
    return isEmptyMap(properties) ? [] : [`${name}: the policy takes no settings`];
  }
  const missing = configSchema.required
    .filter((key) => getProperty(properties, key) === undefined)
    .map((key) => `${name}: ${key} is required`);
  const wrong = Object.entries(properties).flatMap(([key, value]) => {
    const schema = getProperty(configSchema.properties, key);
    return schema === undefined ? [] : schemaComplaints(value, schema, `${name}: ${key}`);
  });
  return [...missing, ...wrong];
}
