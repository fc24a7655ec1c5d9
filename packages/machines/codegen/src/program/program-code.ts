import {
  isDefaultProviderName,
  isProviderType,
  isRootStackUrn,
  parseProviderReference,
  providerTypePackage,
  urnName,
} from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import {
  emptyMap,
  isArray,
  isMap,
  isSecret,
  mapValues,
  secret,
  transformMap,
  withoutProperty,
} from '@cairn/values';
import type { PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';
import { DIALECTS } from './dialect.js';
import type { Dialect, ClassReference, SdkDialect } from './dialect.js';
import { camelIdentifier, Identifiers } from '../source/identifiers.js';
import { commentText, stringLiteral } from '../source/literal.js';
import { memberName } from '../source/member-name.js';
import { linkText, memberCode, SHORTEST, textsOf } from './output-texts.js';
import { settingOf } from './setting.js';
import type { OutputPlace } from './output-texts.js';
import { mapCode, objectCode, valueCode } from './value-code.js';
import type { ValueWriter } from './value-code.js';

/** Input of program generation. */
export interface ProgramRequest {
  readonly sdk: SdkDialect;
  /** Entries of the stack that the program is to declare, in any order. */
  readonly resources: readonly ResourceEntry[];
  /** Variables of the program for resources that it declares elsewhere. */
  readonly names: ReadonlyMap<Urn, string>;
  /** Preferred variables of the resources. They default to the resources' names. */
  readonly variables?: ReadonlyMap<Urn, string> | undefined;
  /** Classes of installed packages by type. */
  readonly classes: ReadonlyMap<string, ClassReference>;
  /** Versions of packages that the user requested, by URN of the resource. */
  readonly versions: ReadonlyMap<Urn, string>;
  /** Origins of resources, for the comment above them. They default to the ids. */
  readonly origins?: ReadonlyMap<Urn, string> | undefined;
  /**
   * True to write dependencies. An input becomes a reference if its text is that of exactly one output of a dependency;
   * other dependencies become the option `dependsOn`. Defaults to false.
   */
  readonly linked?: boolean | undefined;
  /** Outputs of the stack, linked in the same way to any of the resources. Defaults to none. */
  readonly outputs?: PropertyMap | undefined;
  /**
   * Returns configuration keys for secrets that are not outputs of the program's resources. If absent, the program
   * contains them.
   */
  readonly settings?: SecretSettings | undefined;
}

/**
 * Returns the key of the stack's configuration, in the namespace of the project, for a secret text. The first
 * parameter is the preferred name.
 */
export type SecretSettings = (wish: string, text: string) => string;

/**
 * Generates TypeScript that declares the resources with the content of the state, so that a preview shows no changes.
 * Inputs are literals, and secrets are marked. Parents and providers are variables that are declared before they are
 * used.
 */
export function programCode(request: ProgramRequest): string {
  return new ProgramWriter(request).code();
}

/** Variable of the program's configuration. */
const CONFIG = 'config';

class ProgramWriter implements ValueWriter {
  readonly #dialect: Dialect;
  readonly #used = new Set<string>();
  readonly #modules = new Map<string, string>();
  readonly #classes = new Map<string, { readonly name: string; readonly code: string }>();
  readonly #variables = new Map<Urn, string>();
  readonly #elsewhere = new Map<Urn, string>();
  readonly #names: Identifiers;
  readonly #byUrn: ReadonlyMap<Urn, ResourceEntry>;
  #texts = new Map<string, OutputPlace>();
  #referred = new Set<Urn>();
  /** Configuration keys of secret texts. */
  readonly #keys = new Map<string, string>();
  #asksConfig = false;
  readonly #request: ProgramRequest;

  constructor(request: ProgramRequest) {
    this.#request = request;
    this.#dialect = DIALECTS[request.sdk];
    const settings = request.settings === undefined ? [] : [CONFIG];
    this.#names = new Identifiers([...this.#dialect.reserved, ...settings, ...request.names.values()]);
    this.#byUrn = new Map(request.resources.map((entry) => [entry.urn, entry]));
  }

  code(): string {
    const ordered = inOrder(this.#byUrn, this.#request.linked === true);
    for (const { urn } of ordered)
      this.#variables.set(urn, this.#names.claim(this.#request.variables?.get(urn) ?? urnName(urn)));
    const declarations = ordered.map((entry) => this.#declaration(entry));
    const exported = this.#exports();
    if (this.#asksConfig) this.sdk('Config');
    const blocks = [
      [...this.#imports()].join('\n'),
      this.#asksConfig ? `const ${CONFIG} = new ${this.sdk('Config')}();` : '',
      ...[...this.#classes.values()].map(({ code }) => code),
      [...this.#elsewhere]
        .map(([urn, name]) => `// ${name}: ${commentText(urn)}, declared elsewhere`)
        .join('\n'),
      ...declarations,
      ...exported,
    ];
    return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
  }

  sdk(name: string): string {
    this.#used.add(name);
    return this.#dialect.sdk(name);
  }

  variable(urn: Urn): string | undefined {
    return this.#variables.get(urn);
  }

  reference(value: PropertyValue): string | undefined {
    const text = linkText(value);
    const found = text === undefined ? undefined : this.#texts.get(text);
    if (found === undefined) return undefined;
    const member = this.#member(found);
    if (member !== undefined) this.#referred.add(found.urn);
    return member;
  }

  secret(value: PropertyValue, indent: number, path: PropertyPath): string | undefined {
    const { settings } = this.#request;
    if (settings === undefined || value === null) return undefined;
    if (this.reference(value) !== undefined) return undefined;
    if (this.#hasReference(value)) {
      const parts = valueCode(this.#secretParts(value), this, indent, path);
      return `${this.sdk('secret')}(${parts})`;
    }
    const asked = settingOf(value);
    if (asked === undefined) return undefined;
    const isShared = typeof value === 'string' && value.length >= SHORTEST;
    const key = (isShared ? this.#keys.get(value) : undefined) ?? settings(camelIdentifier(path), asked.text);
    if (isShared) this.#keys.set(value, key);
    this.#asksConfig = true;
    return `${CONFIG}.${asked.method}(${stringLiteral(key)})`;
  }

  /** Returns true if a list or an object contains a part that is written as a reference. */
  #hasReference(value: PropertyValue): boolean {
    const isReferred = this.reference(value) !== undefined;
    return isReferred || partsOf(value).some((part) => this.#hasReference(part));
  }

  /**
   * Returns a structure whose parts are secrets of their own, except for references, which are secret through their
   * targets.
   */
  #secretParts(value: PropertyValue): PropertyValue {
    if (this.reference(value) !== undefined || value === null) return value;
    const parts = partsOf(value);
    if (parts.length === 0) return isArray(value) || isMap(value) ? value : secret(value);
    if (isSecret(value)) return this.#secretParts(value.value);
    if (isArray(value)) return value.map((each) => this.#secretParts(each));
    return isMap(value) ? mapValues(value, (each) => this.#secretParts(each)) : secret(value);
  }

  #imports(): readonly string[] {
    const modules = [...this.#modules].map(
      ([module, name]) => `import * as ${name} from ${stringLiteral(module)};`,
    );
    return [...this.#dialect.imports(this.#used), ...modules];
  }

  #declaration(entry: ResourceEntry): string {
    const variable = this.#variables.get(entry.urn) as string;
    this.#link(this.#request.linked === true ? entry.dependencies : []);
    const args = [stringLiteral(urnName(entry.urn)), mapCode(declaredInputs(entry), this, 0, [variable])];
    const options = this.#options(entry);
    const remote = !entry.custom && entry.provider !== undefined;
    if (options.length > 0 || remote) args.push(objectCode(options, 0));
    const { made, first } = this.#maker(entry);
    if (remote && first !== undefined) args.push('true');
    const all = first === undefined ? args : [first, ...args];
    const origin = this.#request.origins?.get(entry.urn) ?? entry.id;
    const hint = entry.custom && !isProviderType(entry.type) ? `// Taken over: ${commentText(origin)}\n` : '';
    return `${hint}const ${variable} = new ${made}(${all.join(', ')});`;
  }

  /** Returns the constructor of the resource. `first` is a type argument, for classes that serve many types. */
  #maker(entry: ResourceEntry): { readonly made: string; readonly first?: string } {
    const { type, custom } = entry;
    const known = this.#request.classes.get(type);
    if (known !== undefined) return { made: this.#imported(known) };
    if (!custom) return { made: this.sdk('ComponentResource'), first: stringLiteral(type) };
    if (!this.#dialect.genericClasses) return { made: this.#ownClass(type) };
    const pkg = providerTypePackage(type);
    return pkg === undefined
      ? { made: this.sdk('CustomResource'), first: stringLiteral(type) }
      : { made: this.sdk('ProviderResource'), first: stringLiteral(pkg) };
  }

  #imported({ module, path }: ClassReference): string {
    let name = this.#modules.get(module);
    if (name === undefined) {
      name = this.#names.claim(module.split('/').at(-1) ?? module);
      this.#modules.set(module, name);
    }
    return [name, ...path].join('.');
  }

  /** Returns a class for one type, for an SDK whose own class is abstract. */
  #ownClass(type: string): string {
    const known = this.#classes.get(type);
    if (known !== undefined) return known.name;
    const pkg = providerTypePackage(type);
    const base = this.sdk(pkg === undefined ? 'CustomResource' : 'ProviderResource');
    const options = this.sdk(pkg === undefined ? 'CustomResourceOptions' : 'ResourceOptions');
    const name = this.#names.claimClass(
      pkg === undefined ? (type.split(':').at(-1) ?? '') : `${pkg}-provider`,
    );
    const code = [
      `class ${name} extends ${base} {`,
      `  constructor(name: string, args: ${this.sdk('Inputs')}, opts?: ${options}) {`,
      `    super(${stringLiteral(pkg ?? type)}, name, args, opts);`,
      '  }',
      '}',
    ];
    this.#classes.set(type, { name, code: code.join('\n') });
    return name;
  }

  #options(entry: ResourceEntry): readonly (readonly [string, string])[] {
    const options: [string, string][] = [];
    const { parent, provider, protect, type, urn } = entry;
    if (parent !== undefined && !isRootStackUrn(parent)) options.push(['parent', this.#reference(parent)]);
    const providerUrn = provider === undefined ? undefined : parseProviderReference(provider).urn;
    if (providerUrn !== undefined && !isDefaultProviderName(urnName(providerUrn)))
      options.push(['provider', this.#reference(providerUrn)]);
    const needed = this.#needed(entry);
    if (needed.length > 0) options.push(['dependsOn', `[${needed.join(', ')}]`]);
    const inherits = parent !== undefined && this.#byUrn.get(parent)?.protect === true;
    if (protect !== inherits) options.push(['protect', String(protect)]);
    const version = isProviderType(type) ? entry.inputs['version'] : this.#request.versions.get(urn);
    if (typeof version === 'string' && version !== '' && !this.#request.classes.has(type))
      options.push(['version', stringLiteral(version)]);
    return options;
  }

  /** Returns the code of a resource's output, or undefined if its class offers no access. */
  #member({ urn, property }: OutputPlace): string | undefined {
    const variable = this.#variables.get(urn) as string;
    if (property === 'id') return `${variable}.id`;
    const type = this.#byUrn.get(urn)?.type ?? '';
    if (this.#request.classes.has(type)) return `${variable}${memberCode(memberName(property))}`;
    return this.#dialect.genericClasses ? `${variable}.outputOf(${stringLiteral(property)})` : undefined;
  }

  /** Returns the variables of dependencies that the entry's inputs do not refer to. */
  #needed({ dependencies, urn }: ResourceEntry): readonly string[] {
    if (this.#request.linked !== true) return [];
    const missing = dependencies.filter((each) => each !== urn && !this.#referred.has(each));
    return missing.flatMap((each) => this.#variables.get(each) ?? []);
  }

  /** Makes texts in the following code references if they are outputs of these resources. */
  #link(urns: Iterable<Urn>): void {
    this.#texts = new Map();
    this.#referred = new Set();
    const entries = [...urns].flatMap((urn) => this.#byUrn.get(urn) ?? []);
    for (const [text, place] of textsOf(entries)) this.#texts.set(text, place);
  }

  #exports(): readonly string[] {
    const { outputs = emptyMap } = this.#request;
    this.#link(this.#request.linked === true ? this.#byUrn.keys() : []);
    const written = Object.keys(outputs).map((name) => {
      const code = valueCode(outputs[name] as PropertyValue, this, 0, [name]);
      const variable = this.#names.claim(name);
      return variable === name
        ? `export const ${name} = ${code};`
        : `const ${variable} = ${code};\nexport { ${variable} as ${stringLiteral(name)} };`;
    });
    return written.length === 0 ? [] : [written.join('\n')];
  }

  #reference(urn: Urn): string {
    const own = this.#variables.get(urn) ?? this.#elsewhere.get(urn);
    if (own !== undefined) return own;
    const name = this.#request.names.get(urn) ?? this.#names.claim(urnName(urn));
    this.#elsewhere.set(urn, name);
    return name;
  }
}

/** Orders entries after everything that they name: parents, then providers, then other dependencies. */
function inOrder(byUrn: ReadonlyMap<Urn, ResourceEntry>, linked: boolean): readonly ResourceEntry[] {
  const ordered: ResourceEntry[] = [];
  const placed = new Set<Urn>();
  const place = (entry: ResourceEntry | undefined): void => {
    if (entry === undefined || placed.has(entry.urn)) return;
    placed.add(entry.urn);
    if (entry.parent !== undefined) place(byUrn.get(entry.parent));
    if (entry.provider !== undefined) place(byUrn.get(parseProviderReference(entry.provider).urn));
    if (linked) for (const needed of entry.dependencies) place(byUrn.get(needed));
    ordered.push(entry);
  };
  for (const entry of byUrn.values()) place(entry);
  return ordered;
}

/** Keys that bridges and the engine reserve among inputs, at any depth. */
const RESERVED: ReadonlySet<string> = new Set(['__defaults', '__meta', '__internal']);

/** Returns the inputs that a program writes. A local component has none. */
function declaredInputs({ inputs, type, custom, provider }: ResourceEntry): PropertyMap {
  if (!custom && provider === undefined) return emptyMap;
  const own = transformMap(inputs, (value) => (isMap(value) ? withoutReserved(value) : value));
  return withoutReserved(isProviderType(type) ? withoutProperty(own, 'version') : own);
}

/** Returns the parts of a list, an object or a secret. */
function partsOf(value: PropertyValue): readonly PropertyValue[] {
  if (isSecret(value)) return [value.value];
  if (isArray(value)) return value;
  return isMap(value) ? Object.values(value) : [];
}

function withoutReserved(map: PropertyMap): PropertyMap {
  return Object.keys(map).reduce((rest, key) => (RESERVED.has(key) ? withoutProperty(rest, key) : rest), map);
}
