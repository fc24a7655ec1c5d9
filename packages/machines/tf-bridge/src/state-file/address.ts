import { BugError } from '@cairn/diagnostics';

/** Key of an instance by `count` or `for_each`: a number or a text. Undefined without either. */
export type InstanceKey = number | string | undefined;

/** A name with the key of an instance, as between the dots of an address. Mostly of a module. */
export interface ModuleStep {
  readonly name: string;
  readonly key: InstanceKey;
}

/** Address of a provider configuration. */
export interface StateProviderAddress {
  /** The module of the configuration. Empty for the root. */
  readonly module: readonly ModuleStep[];
  /**
   * Source `host/namespace/type`. It is `registry.terraform.io/-/type` if the state does not contain the provider's
   * source.
   */
  readonly source: string;
  /** Alias. Empty for the configuration without one. */
  readonly alias: string;
  /** Key of a configuration that has several instances. */
  readonly key: InstanceKey;
}

/** An instance of a resource. */
export interface ResourceAddress {
  readonly module: readonly ModuleStep[];
  readonly mode: 'managed' | 'data';
  readonly type: string;
  readonly name: string;
  readonly key: InstanceKey;
}

/** Returns `module.a["k"].module.b`. Empty for the root. */
export function moduleText(module: readonly ModuleStep[]): string {
  return module.map(({ name, key }) => `module.${name}${instanceKeyText(key)}`).join('.');
}

/** Returns `module.a.data.t.n[0]`. */
export function resourceAddressText({ module, mode, type, name, key }: ResourceAddress): string {
  const own = `${mode === 'data' ? 'data.' : ''}${type}.${name}${instanceKeyText(key)}`;
  return module.length === 0 ? own : `${moduleText(module)}.${own}`;
}

/** Returns `module.a.provider["host/namespace/type"].alias`. */
export function providerText({ module, source, alias, key }: StateProviderAddress): string {
  const own = `provider[${textKey(source)}]${alias === '' ? '' : `.${alias}`}${instanceKeyText(key)}`;
  return module.length === 0 ? own : `${moduleText(module)}.${own}`;
}

/** Returns `[0]`, `["k"]`, or an empty text. */
export function instanceKeyText(key: InstanceKey): string {
  if (key === undefined) return '';
  return `[${typeof key === 'number' ? String(key) : textKey(key)}]`;
}

/** Quotes a text as the configuration language does: the beginning of a template is doubled. */
function textKey(text: string): string {
  const escaped = text.replace(/[\\"\n\r\t]/g, (char) => ESCAPES[char] as string);
  return `"${escaped.replace(/([$%])\{/g, '$1$1{')}"`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

const NAME = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const KEY = /\[(?:(\d+)|"((?:[^"\\]|\\.)*)")\]/suy;

/** Returns the names with keys between the dots of a text. Undefined for a text of another form. */
export function parseNamed(text: string): readonly ModuleStep[] | undefined {
  const found: ModuleStep[] = [];
  let at = 0;
  for (;;) {
    NAME.lastIndex = at;
    const name = NAME.exec(text)?.[0];
    if (name === undefined) return undefined;
    at += name.length;
    KEY.lastIndex = at;
    const key = KEY.exec(text);
    if (key !== null) at += key[0].length;
    found.push({ name, key: key === null ? undefined : keyOf(key) });
    if (at === text.length) return found;
    if (text[at] !== '.') return undefined;
    at += 1;
  }
}

function keyOf([, digits, quoted]: RegExpExecArray): InstanceKey {
  if (digits !== undefined) return Number(digits);
  const plain = (quoted as string).replace(/([$%])\1\{/g, '$1{');
  return plain.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gs, (_all, four, eight, char) => {
    const code = (four ?? eight) as string | undefined;
    if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
    return PLAIN[char as string] ?? (char as string);
  });
}

const PLAIN: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Splits off the modules at the beginning of an address. */
export function splitModules(all: readonly ModuleStep[]): {
  module: readonly ModuleStep[];
  rest: readonly ModuleStep[];
} {
  const module: ModuleStep[] = [];
  let at = 0;
  while (all[at]?.name === 'module' && all[at]?.key === undefined && all[at + 1] !== undefined) {
    module.push(all[at + 1] as ModuleStep);
    at += 2;
  }
  return { module, rest: all.slice(at) };
}

/** Returns the modules of a module address. Undefined for any other text; empty for the root. */
export function parseModule(text: string): readonly ModuleStep[] | undefined {
  if (text === '') return [];
  const all = parseNamed(text);
  if (all === undefined) return undefined;
  const { module, rest } = splitModules(all);
  return rest.length === 0 ? module : undefined;
}

/** Returns the address of a resource or of one of its instances. Undefined for any other text. */
export function parseResource(text: string): ResourceAddress | undefined {
  const all = parseNamed(text);
  if (all === undefined) return undefined;
  const { module, rest } = splitModules(all);
  const data = rest[0]?.name === 'data' && rest[0].key === undefined;
  const [type, own, ...more] = data ? rest.slice(1) : rest;
  if (type === undefined || type.key !== undefined || own === undefined || more.length > 0) return undefined;
  return { module, mode: data ? 'data' : 'managed', type: type.name, name: own.name, key: own.key };
}

const PROVIDER = /^((?:.*\.)?)provider(?:\["([^"\\]*)"\]|\.([\w-]+))(?:\.([\w-]+)(\[.*\])?)?$/su;

/**
 * Returns the address of a provider configuration, also in the old form without a source. Undefined for any other text.
 */
export function parseProvider(text: string): StateProviderAddress | undefined {
  const found = PROVIDER.exec(text);
  if (found === null) return undefined;
  const [, before = '', full, bare, alias = '', keyed] = found;
  const module = parseModule(before.replace(/\.$/, ''));
  const source = full ?? (bare === 'terraform' ? BUILT_IN : `registry.terraform.io/-/${bare ?? ''}`);
  const key = keyed === undefined ? undefined : parseNamed(`a${keyed}`);
  if (module === undefined || !/^[^/\s]+\/[^/\s]+\/[^/\s]+$/.test(source)) return undefined;
  if (keyed !== undefined && key?.length !== 1) return undefined;
  return { module, source, alias, key: key?.[0]?.key };
}

/** The provider that is a part of Terraform itself and has no plugin. */
export const BUILT_IN = 'terraform.io/builtin/terraform';

/** Returns the last part of a provider's source. */
export function providerTypeOf(source: string): string {
  const type = source.split('/').at(-1);
  if (type === undefined) throw new BugError('a source has no parts');
  return type;
}
