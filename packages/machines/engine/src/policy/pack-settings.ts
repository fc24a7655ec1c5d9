import { getProperty, isEmptyMap, isMap, newMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { AnalyzerInfo, PolicyInfo, PolicySettings } from '@cairn/wire';
import { schemaComplaints } from './json-schema.js';
import type { GivenSettings } from '../model/policy.js';

/** Name of the settings that apply to every policy of a pack. */
const ALL = 'all';

/** Reconciled settings of a pack, with the faults of the given ones. */
interface ReconciledSettings {
  readonly settings: Readonly<Record<string, PolicySettings>>;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Returns the settings of every policy of a pack. They come from the user's settings for the policy, then the user's
 * for all, then the pack's initial settings. The policy's declaration (its level, the defaults of its schema) is last.
 * Values must fit the schema.
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
