import type { Discriminator, ExternalReference, PropertyModel, TypeModel } from '../schema/model.js';
import { docComment } from '../source/doc-comment.js';
import { propertyKey, stringLiteral } from '../source/literal.js';
import type { Layout } from './layout.js';
import { NameScope } from './names.js';
import type { TypeForm, TypeUse } from './type-use.js';

/** Parts of another package that references to it need. */
export interface ExternalPackage {
  readonly npmName: string;
  readonly layout: Layout;
  readonly use: TypeUse;
}

/** Parts of the package that a file of declarations needs. */
export interface TypeContext {
  readonly layout: Layout;
  readonly use: TypeUse;
  /** Other packages by name. References to a missing one become any value. */
  readonly externals: ReadonlyMap<string, ExternalPackage>;
}

/** Type declarations of one file: writes types, and collects the imports they need. */
export class TypeWriter {
  readonly #scope: NameScope;
  readonly #sdk = new Map<string, string>();
  readonly #modules = new Map<string, string>();
  readonly #context: TypeContext;
  readonly #folder: string;
  readonly #own: TypeForm | 'enums' | undefined;

  /**
   * `declared` are the names that the file declares. `own` is the form of object types that the file itself declares.
   */
  constructor(context: TypeContext, folder: string, declared: Iterable<string>, own?: TypeForm | 'enums') {
    this.#context = context;
    this.#folder = folder;
    this.#own = own;
    this.#scope = new NameScope(declared);
  }

  /** Returns the local name of an export of the SDK. */
  sdk(name: string): string {
    let local = this.#sdk.get(name);
    if (local === undefined) this.#sdk.set(name, (local = this.#scope.claim(name)));
    return local;
  }

  /** Returns import statements for the used names. */
  imports(): string {
    const names = [...this.#sdk]
      .map(([name, local]) => (name === local ? name : `${name} as ${local}`))
      .sort();
    const modules = [...this.#modules].map(
      ([path, local]) => `import type * as ${local} from ${stringLiteral(path)};\n`,
    );
    const sdk = names.length === 0 ? '' : `import { ${names.join(', ')} } from '@cairn/sdk';\n`;
    return sdk + modules.sort().join('');
  }

  /** Returns an interface with a member for each property. */
  interface(name: string, properties: readonly PropertyModel[], form: TypeForm, doc = ''): string {
    const members = properties.map((property) => this.member(property, form)).join('');
    return `${docComment({ description: doc })}export interface ${name} {\n${members}}\n`;
  }

  member(property: PropertyModel, form: TypeForm): string {
    const isOptional =
      form === 'outputs' ? !property.reported : !property.required || property.standard !== undefined;
    const undefinedToo = isOptional ? ' | undefined' : '';
    const text = this.property(property, form) + undefinedToo;
    return `${doc(property, form)}  readonly ${propertyKey(property.name)}${isOptional ? '?' : ''}: ${text};\n`;
  }

  /** Returns the type of a property's value in a form. */
  property(property: PropertyModel, form: TypeForm): string {
    const inner = form === 'inputs' && property.plain ? 'plain' : form;
    const constant = property.constant;
    const text = constant === undefined ? this.type(property.type, inner) : literal(constant);
    return inner === 'inputs' ? `${this.sdk('Input')}<${text}>` : text;
  }

  type(type: TypeModel, form: TypeForm): string {
    switch (type.kind) {
      case 'boolean':
      case 'string':
      case 'number':
        return type.kind;
      case 'integer':
        return 'number';
      case 'json':
        return 'string';
      case 'any':
        return 'unknown';
      case 'asset':
        return `${this.sdk('Asset')} | ${this.sdk('Archive')}`;
      case 'archive':
        return this.sdk('Archive');
      case 'array':
        return `readonly ${grouped(this.#item(type.items, form))}[]`;
      case 'map':
        return `{ readonly [key: string]: ${this.#item(type.items, form)} }`;
      case 'object':
        return this.#placed(type.token, form);
      case 'enum':
        return this.#placed(type.token, 'enums');
      case 'resource':
        return form === 'outputs' ? 'string' : this.#resource(type.token);
      case 'external':
        return this.#external(type.reference, form);
      case 'union':
        return this.#union(type.members, type.discriminator, form);
    }
  }

  #item({ type, plain }: { readonly type: TypeModel; readonly plain: boolean }, form: TypeForm): string {
    if (form !== 'inputs') return this.type(type, form);
    return plain ? this.type(type, 'plain') : `${this.sdk('Input')}<${this.type(type, 'inputs')}>`;
  }

  #placed(token: string, file: TypeForm | 'enums'): string {
    const placed = this.#context.layout.types.get(token);
    if (placed === undefined) return 'unknown';
    if (placed.folder === this.#folder && file === this.#own) return placed.name;
    return `${this.#module(`${this.#path(placed.folder)}${file}.js`, file)}.${placed.name}`;
  }

  #resource(token: string): string {
    const placed = this.#context.layout.resources.get(token);
    if (placed === undefined) return this.sdk('AnyResource');
    return `${this.#module(`${this.#path(placed.folder)}${placed.file}.js`, placed.file)}.${placed.name}`;
  }

  #external({ package: name, kind, token }: ExternalReference, form: TypeForm): string {
    if (kind === 'provider') return form === 'outputs' ? 'string' : this.sdk('AnyProvider');
    if (kind === 'resource' && form === 'outputs') return 'string';
    const other = this.#context.externals.get(name);
    const placed = kind === 'resource' ? other?.layout.resources.get(token) : other?.layout.types.get(token);
    const isThere = kind === 'resource' || other?.use[form].has(token) === true;
    if (other === undefined || placed === undefined || !isThere)
      return kind === 'resource' ? this.sdk('AnyResource') : 'unknown';
    const path = placed.folder === '' ? other.npmName : `${other.npmName}/${placed.folder}`;
    const module = this.#module(path, name.replace(/\W/g, '_'));
    const isEnum = 'members' in placed.model;
    return `${module}.${kind === 'resource' || isEnum ? '' : `${form}.`}${placed.name}`;
  }

  #union(members: readonly TypeModel[], discriminator: Discriminator | undefined, form: TypeForm): string {
    const texts = members.map((member) => this.#member(member, discriminator, form));
    const hasEnum = members.some(({ kind }) => kind === 'enum');
    // Any text is allowed, and editors still offer those of the enum.
    const open = texts.map((text) => (hasEnum && text === 'string' ? '(string & {})' : text));
    return [...new Set(open)].join(' | ') || 'unknown';
  }

  #member(type: TypeModel, discriminator: Discriminator | undefined, form: TypeForm): string {
    const text = this.type(type, form);
    const values = type.kind === 'object' ? discriminator?.values.get(type.token) : undefined;
    if (values === undefined || discriminator === undefined) return text;
    const wanted = values.map((value) => stringLiteral(value)).join(' | ');
    return `(${text} & { readonly ${propertyKey(discriminator.property)}: ${wanted} })`;
  }

  #module(path: string, wanted: string): string {
    let local = this.#modules.get(path);
    if (local === undefined) this.#modules.set(path, (local = this.#scope.claim(wanted)));
    return local;
  }

  /** Returns the path from this folder to another one of the package, with a trailing slash. */
  #path(folder: string): string {
    if (folder === this.#folder) return './';
    const up = this.#folder === '' ? './' : '../'.repeat(this.#folder.split('/').length);
    return folder === '' ? up : `${up}${folder}/`;
  }
}

/** Returns the comment of a property, with its default if the property is optional. */
export function doc(property: PropertyModel, form: TypeForm): string {
  const { standard, description, deprecated, secret } = property;
  const value = standard?.value === undefined ? [] : [`Default: \`${String(standard.value)}\`.`];
  const variables = (standard?.environment ?? []).map((name) => `\`${name}\``).join(', ');
  const environment = variables === '' ? [] : [`Without it the environment is asked: ${variables}.`];
  const notes = [...(form === 'outputs' ? [] : [...value, ...environment]), ...(secret ? ['Secret.'] : [])];
  return docComment({ description, deprecated, notes }, '  ');
}

function literal(value: string | number | boolean): string {
  return typeof value === 'string' ? stringLiteral(value) : String(value);
}

/** Returns a type in a form that can be followed by `[]`. */
function grouped(text: string): string {
  return /^readonly | [|&] /.test(text) && !/^[\w.]+<.*>$/.test(text) ? `(${text})` : text;
}
