import { pclError } from '@cairn/pcl';
import type { Position } from '@cairn/pcl';
import type { PackageModel } from '../schema/model.js';
import { stringLiteral, templateLiteral } from '../source/literal.js';
import { memberName } from '../source/member-name.js';
import { indented, memberText, objectText, outputCode, plainCode } from './code.js';
import type { Code } from './code.js';
import { expressionsIn, namesOf } from './declarations.js';
import type {
  ComponentDeclaration,
  ConfigVariable,
  Declaration,
  HookDeclaration,
  ProgramDeclarations,
} from './declarations.js';
import { Expressions } from './expressions.js';
import type { FileWriter, TranslatedComponent } from './file-writer.js';
import { Imports } from './imports.js';
import type { Packages } from './packages.js';
import { held, madeResource, outputsMember } from './resources.js';
import type { SupportName } from './support.js';
import { typeText } from './value-type.js';
import type { TypeMembers, ValueType } from './value-type.js';

/** Context of a file in its project. */
export interface FileContext {
  readonly packages: Packages;
  /** Returns the import path of a module of the project in the file. */
  readonly moduleOf: (file: string) => string;
  readonly component: (source: string, at: Position) => TranslatedComponent;
}

/** File with the functions that translated programs need besides the SDK. */
export const SUPPORT_FILE = 'pcl';

/** Deferred output of a declaration further down. */
interface Later {
  readonly variable: string;
  readonly resolve: string;
}

/** Writes the statements of one program: each declaration before its uses. */
export class ProgramFile implements FileWriter {
  readonly imports = new Imports();
  readonly write = new Expressions(this);
  readonly statements: string[] = [];
  readonly #variables = new Map<string, string>();
  readonly #codes = new Map<string, Code>();
  readonly #visited = new Set<string>();
  readonly #later = new Map<string, Map<string, Later>>();
  readonly #config: string;
  readonly #context: FileContext;

  constructor(
    readonly program: ProgramDeclarations,
    readonly insideComponent: boolean,
    context: FileContext,
  ) {
    this.#context = context;
    const hasConfig = [...program.declarations.values()].some(({ t }) => t === 'config');
    this.#config = hasConfig && !insideComponent ? this.imports.claim('config') : '';
    for (const name of program.declarations.keys()) this.#variables.set(name, this.imports.claim(name));
  }

  get packages(): Packages {
    return this.#context.packages;
  }

  /** Writes every declaration. */
  declareAll(): void {
    if (this.#config !== '') this.statements.push(`const ${this.#config} = new ${this.sdk('Config')}();`);
    const { requiredVersion, declarations } = this.program;
    if (requiredVersion !== undefined) {
      this.#place(namesOf([requiredVersion]));
      const range = this.write.code(requiredVersion).text;
      this.statements.push(`await ${this.sdk('requirePulumiVersion')}(${range});`);
    }
    this.#place([...declarations.keys()]);
  }

  sdk(name: string): string {
    return this.imports.from('@cairn/sdk', name);
  }

  support(name: SupportName): string {
    return this.imports.support(name);
  }

  node(module: string, name: string): string {
    return this.imports.from(module, name);
  }

  packageName(model: PackageModel): string {
    return this.imports.package(model);
  }

  freeName(wanted: string, taken: readonly string[]): string {
    return this.imports.free(wanted, taken);
  }

  declared(name: string, property: string | undefined, at: Position): Code {
    const code = this.#codes.get(name);
    if (code !== undefined) return code;
    const declaration = this.program.declarations.get(name);
    if (declaration === undefined) throw pclError(`undefined variable '${name}'`, at);
    if (declaration.t !== 'component') throw pclError(`"${name}" depends on itself`, at);
    return this.#laterOf(declaration, property, at);
  }

  #place(names: readonly string[]): void {
    for (const name of names) {
      const declaration = this.program.declarations.get(name);
      if (declaration === undefined || this.#visited.has(name)) continue;
      this.#visited.add(name);
      this.#place(namesOf(expressionsIn(declaration)));
      this.#codes.set(name, this.#declare(declaration, this.#variables.get(name) ?? name));
      this.#resolveLater(declaration);
    }
  }

  #declare(declaration: Declaration, variable: string): Code {
    switch (declaration.t) {
      case 'config':
        return this.#hold(
          variable,
          this.insideComponent ? this.#argument(declaration) : this.#setting(declaration),
        );
      case 'local':
        return this.#hold(variable, this.write.code(declaration.value));
      case 'hook':
        return this.#hold(variable, this.#hook(declaration));
      case 'resource':
      case 'read':
      case 'component': {
        const made = madeResource(declaration, this.write, (source, { at }) => this.#component(source, at));
        const range = declaration.options.get('range');
        this.statements.push(`const ${variable} = ${made.text};`);
        return held(made, variable, range && this.write.code(range).type);
      }
    }
  }

  #hold(variable: string, code: Code): Code {
    this.statements.push(`const ${variable} = ${code.text};`);
    return { ...code, text: variable, atom: true, only: undefined };
  }

  #setting({ type, standard, secret, logical }: ConfigVariable): Code {
    const otherwise = standard && this.write.code(standard, type);
    const kind = { string: '', number: 'Number', boolean: 'Boolean' }[type.kind as string] ?? 'Object';
    const generic = kind === 'Object' ? `<${typeText(type)}>` : '';
    const method = `${otherwise === undefined ? 'require' : 'get'}${secret ? 'Secret' : ''}${kind}${generic}`;
    const asked = `${this.#config}.${method}(${stringLiteral(logical)})`;
    if (otherwise === undefined) return secret ? outputCode(asked, type) : plainCode(asked, type);
    const text = `${asked} ?? ${otherwise.text}`;
    if (!secret && otherwise.outputs === 'none') return plainCode(text, type, false);
    return outputCode(`${this.sdk('output')}(${text})`, type);
  }

  /** Writes an argument of a component, which may be an output or not. */
  #argument({ name, type, standard }: ConfigVariable): Code {
    const given = memberText('args', name);
    const otherwise = standard && this.write.code(standard, type);
    const text = otherwise === undefined ? given : `${given} ?? ${otherwise.text}`;
    return outputCode(`${this.sdk('output')}(${text})`, type);
  }

  #hook({ kind, logical, command, options }: HookDeclaration): Code {
    const name = this.insideComponent
      ? templateLiteral([{ code: 'name' }, '-', logical])
      : stringLiteral(logical);
    const args = this.write.parameter('args');
    const run = this.write.within(new Map([['args', plainCode(args)]]), () => this.write.code(command).text);
    const lines = [`${this.support('run')}(${run});`, ...(kind === 'error' ? ['return true;'] : [])];
    const body = `(${args}) => {\n${lines.map(indented).join('\n')}\n}`;
    const given = [...options].map(([option, value]): [string, string] => [
      option,
      this.write.code(value).text,
    ]);
    const more = given.length === 0 || kind === 'error' ? '' : `, ${objectText(given)}`;
    return plainCode(
      `new ${this.sdk(kind === 'error' ? 'ErrorHook' : 'ResourceHook')}(${name}, ${body}${more})`,
    );
  }

  #component(source: string, at: Position): TranslatedComponent {
    const component = this.#context.component(source, at);
    const className = this.imports.from(this.#context.moduleOf(component.file), component.className);
    return { ...component, className };
  }

  /** Returns a deferred output. Two components may need outputs of each other: the first one gets them later. */
  #laterOf(
    { name, source, options }: ComponentDeclaration,
    property: string | undefined,
    at: Position,
  ): Code {
    const component = source === undefined ? undefined : this.#context.component(source, at);
    const key = options.has('range') ? undefined : property;
    const waiting = this.#later.get(name) ?? new Map<string, Later>();
    this.#later.set(name, waiting);
    let later = waiting.get(key ?? '');
    if (later === undefined) {
      const base = `${this.#variables.get(name) ?? name}-${key ?? ''}`;
      later = {
        variable: this.imports.claim(`${base}-later`),
        resolve: this.imports.claim(`resolve-${base}`),
      };
      waiting.set(key ?? '', later);
      const type = key === undefined ? 'any' : typeText(component?.outputs.get(key) ?? { kind: 'any' });
      const pair = `[${later.variable}, ${later.resolve}]`;
      this.statements.push(`const ${pair} = ${this.sdk('deferredOutput')}<${type}>();`);
    }
    const code = outputCode(later.variable, key === undefined ? undefined : component?.outputs.get(key));
    return key === undefined ? code : { ...code, only: key };
  }

  #resolveLater(declaration: Declaration): void {
    if (declaration.t !== 'component' || declaration.source === undefined) return;
    const code = this.#codes.get(declaration.name) as Code;
    for (const [property, { resolve }] of this.#later.get(declaration.name) ?? []) {
      const { outputs } = this.#context.component(declaration.source, declaration.at);
      const value =
        property === ''
          ? outputsMember(code, [...outputs.keys()])
          : this.write.member(code, property, declaration.at).text;
      this.statements.push(`${resolve}(${value});`);
    }
  }
}

/** Returns the members of a component's class. */
export function componentMembers(outputs: ReadonlyMap<string, ValueType>): TypeMembers {
  return {
    output: (name) => {
      if (name === 'urn') return { name, type: { kind: 'string' } };
      const type = outputs.get(name);
      return type === undefined ? undefined : { name: memberName(name), type };
    },
    method: () => undefined,
  };
}
