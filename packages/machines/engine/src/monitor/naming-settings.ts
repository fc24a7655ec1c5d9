import { tokenPackage } from '@cairn/addresses';
import { fail } from '@cairn/diagnostics';
import { isJsonObject } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import type { Naming, NamingRule } from '../model/naming.js';
import type { OperationConfig, OperationIdentity } from '../model/request.js';
import { namePattern } from './name-pattern.js';

/** Returns the naming of resources of a type, or `undefined` if their provider chooses the names. */
export type NamingSettings = (type: string) => Naming | undefined;

const KEY = 'pulumi:autonaming';
const MODES = ['default', 'verbatim', 'disabled'] as const;
type Mode = (typeof MODES)[number];

/** A rule, `default` for the provider's own way, or `undefined` if there is no setting. */
type Setting = NamingRule | 'default' | undefined;

interface ProviderSettings {
  readonly setting: Setting;
  readonly types: ReadonlyMap<string, Setting>;
}

/**
 * Reads the setting that names objects [REG-15]: for a type, else for its provider, else for all. Each is a mode
 * (`default`, `verbatim`, `disabled`) or a pattern, which may be enforced. Throws CAIRN-CONFIG-INVALID, naming the
 * place, if it cannot be read.
 */
export function namingSettings(config: OperationConfig, identity: OperationIdentity): NamingSettings {
  const text = config.values[KEY];
  if (text === undefined || text === '') return () => undefined;
  const root = objectAt(parsed(text), KEY);
  const read = (json: JsonObject, place: string) => settingOf(json, place, config, identity);
  checkKeys(root, [...SETTING_KEYS, 'providers'], KEY);
  const all = read(root, KEY);
  const providers = new Map<string, ProviderSettings>();
  for (const [pkg, json] of entriesAt(root, 'providers', KEY)) {
    providers.set(pkg, providerSettings(json, `${KEY}.providers.${pkg}`, read));
  }
  return (type) => {
    const provider = providers.get(tokenPackage(type));
    const specific = provider?.types.get(type) ?? provider?.setting;
    const rule = specific ?? all;
    return rule === undefined || rule === 'default' ? undefined : { rule, specific: specific !== undefined };
  };
}

function providerSettings(
  json: Json,
  place: string,
  read: (json: JsonObject, place: string) => Setting,
): ProviderSettings {
  const object = objectAt(json, place);
  checkKeys(object, [...SETTING_KEYS, 'resources'], place);
  const types = new Map<string, Setting>();
  for (const [type, setting] of entriesAt(object, 'resources', place)) {
    const at = `${place}.resources.${type}`;
    const own = objectAt(setting, at);
    checkKeys(own, SETTING_KEYS, at);
    types.set(type, read(own, at));
  }
  return { setting: read(object, place), types };
}

const SETTING_KEYS = ['mode', 'pattern', 'enforce'] as const;

function settingOf(
  json: JsonObject,
  place: string,
  config: OperationConfig,
  identity: OperationIdentity,
): Setting {
  const { mode, pattern, enforce } = json;
  if (enforce !== undefined && typeof enforce !== 'boolean')
    invalid(`${place}.enforce`, 'is not true or false');
  if (pattern !== undefined) {
    if (mode !== undefined) invalid(place, 'has a mode and a pattern; only one of them can be');
    if (typeof pattern !== 'string' || pattern === '') invalid(`${place}.pattern`, 'is not a string');
    const parts = namePattern(pattern as string, config, identity, (why) => invalid(`${place}.pattern`, why));
    return { t: 'pattern', parts, enforce: enforce === true };
  }
  if (enforce !== undefined) invalid(place, 'enforces a pattern but has none');
  if (mode === undefined) return undefined;
  if (!MODES.includes(mode as Mode)) invalid(`${place}.mode`, `is not one of ${MODES.join(', ')}`);
  return mode === 'default' ? 'default' : { t: mode as Exclude<Mode, 'default'> };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return invalid(KEY, 'is not a structured value');
  }
}

function objectAt(json: Json, place: string): JsonObject {
  return isJsonObject(json) ? json : invalid(place, 'is not a map');
}

function entriesAt(object: JsonObject, key: string, place: string): readonly (readonly [string, Json])[] {
  const json = object[key];
  return json === undefined ? [] : Object.entries(objectAt(json, `${place}.${key}`));
}

function checkKeys(object: JsonObject, known: readonly string[], place: string): void {
  const other = Object.keys(object).find((key) => !known.includes(key));
  if (other !== undefined) invalid(`${place}.${other}`, `is not a setting; there are ${known.join(', ')}`);
}

function invalid(place: string, why: string): never {
  return fail('CAIRN-CONFIG-INVALID', `the configuration value ${place} ${why}`, {
    hint: `For example: cairn config set --path '${KEY}.pattern' '\${name}-\${hex(4)}'.`,
  });
}
