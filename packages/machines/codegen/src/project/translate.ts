import { pclError } from '@cairn/pcl';
import { propertyKey, stringLiteral } from '../source/literal.js';
import { className } from '../typed-package/names.js';
import { memberName } from '../source/member-name.js';
import { docComment } from '../source/doc-comment.js';
import { bracketed, indented, memberText, objectText } from './code.js';
import type { ProgramDeclarations } from './declarations.js';
import type { Packages } from './packages.js';
import { ProgramFile, SUPPORT_FILE, componentMembers } from './program-file.js';
import type { FileContext } from './program-file.js';
import type { TranslatedComponent } from './file-writer.js';
import { supportFile } from './support.js';
import type { SupportName } from './support.js';
import { typeText } from './value-type.js';
import type { ValueType } from './value-type.js';

/**
 * Translates a program and its components. `programs` are the declarations of each folder; the entry's is ''. Returns
 * TypeScript by path.
 */
export function translateProgram(
  programs: ReadonlyMap<string, ProgramDeclarations>,
  packages: Packages,
): ReadonlyMap<string, string> {
  return new Translation(programs, packages).files();
}

class Translation {
  readonly #files = new Map<string, string>();
  readonly #components = new Map<string, TranslatedComponent>();
  readonly #under = new Set<string>();
  readonly #support = new Set<SupportName>();
  readonly #programs: ReadonlyMap<string, ProgramDeclarations>;
  readonly #packages: Packages;

  constructor(programs: ReadonlyMap<string, ProgramDeclarations>, packages: Packages) {
    this.#programs = programs;
    this.#packages = packages;
  }

  files(): ReadonlyMap<string, string> {
    const entry = this.#programs.get('');
    if (entry === undefined) throw pclError('there is no program', undefined);
    this.#files.set('index.ts', this.#entry(entry));
    const support = supportFile(this.#support);
    if (support !== undefined) this.#files.set(`${SUPPORT_FILE}.ts`, support);
    return this.#files;
  }

  #context(folder: string): FileContext {
    const depth = folder === '' ? 0 : folder.split('/').length - 1;
    const up = depth === 0 ? './' : '../'.repeat(depth);
    return {
      packages: this.#packages,
      moduleOf: (file) => `${up}${file}.js`,
      component: (source, at) => {
        const path = joined(folder, source);
        const program = this.#programs.get(path);
        if (program === undefined) throw pclError(`there is no program in ${source}`, at);
        return this.#component(path, program);
      },
    };
  }

  #written(file: ProgramFile, folder: string, body: string): string {
    for (const name of file.imports.supportUsed) this.#support.add(name);
    const imports = file.imports.text(this.#context(folder).moduleOf(SUPPORT_FILE));
    return `${[imports, body].filter((text) => text !== '').join('\n\n')}\n`;
  }

  #entry(program: ProgramDeclarations): string {
    const file = new ProgramFile(program, false, this.#context(''));
    const taken = new Set(program.declarations.keys());
    file.declareAll();
    const renamed: string[] = [];
    const outputs = program.outputs.map(({ logical, value }) => {
      const { text } = file.write.code(value);
      const quoted = /^[A-Za-z_$][\w$]*$/.test(logical) ? logical : stringLiteral(logical);
      if (value.t === 'name' && /^[A-Za-z_$][\w$]*$/.test(text)) {
        renamed.push(text === logical ? text : `${text} as ${quoted}`);
        return '';
      }
      const free = !taken.has(logical) && file.imports.free(logical, []) === logical;
      if (free && quoted === logical && file.imports.claim(logical) === logical)
        return `export const ${logical} = ${text};`;
      const variable = file.imports.claim(`${logical}-output`);
      renamed.push(`${variable} as ${quoted}`);
      return `const ${variable} = ${text};`;
    });
    const names = renamed.length === 0 ? '' : `export ${bracketed('{', renamed, '}')};`;
    const lines = [...file.statements, ...outputs, names].filter((line) => line !== '');
    // A file without imports and exports would not be a module.
    return this.#written(file, '', lines.length === 0 ? 'export {};' : lines.join('\n'));
  }

  #component(folder: string, program: ProgramDeclarations): TranslatedComponent {
    const known = this.#components.get(folder);
    if (known !== undefined) return known;
    if (this.#under.has(folder)) throw pclError(`the component ${folder} is made of itself`, undefined);
    this.#under.add(folder);
    const name = className(folder.split('/').at(-1) ?? folder);
    const file = new ProgramFile(program, true, this.#context(folder));
    file.declareAll();
    const outputs = program.outputs.map(({ logical, value }) => ({
      name: logical,
      code: file.write.code(value),
    }));
    const configs = [...program.declarations.values()].filter((declaration) => declaration.t === 'config');
    const input = (type: ValueType): string => `${file.sdk('Input')}<${typeText(type)}>`;
    const args = configs.map(({ name: of, type, standard, description }) => {
      const optional = standard === undefined ? '' : '?';
      return indented(
        `${docComment({ description })}readonly ${propertyKey(of)}${optional}: ${input(type)};`,
      );
    });
    const fields = outputs.map(
      ({ name: of, code }) =>
        `  readonly ${propertyKey(memberName(of))}: ${file.sdk('Output')}<${typeText(code.type)}>;`,
    );
    const set = outputs.map(({ name: of, code }) => {
      const text = code.outputs === 'is' ? code.text : `${file.sdk('output')}(${code.text})`;
      return `${memberText('this', memberName(of))} = ${text};`;
    });
    const registered = objectText(outputs.map(({ name: of }) => [of, memberText('this', memberName(of))]));
    const base = file.sdk('ComponentResource');
    const constructor = [
      `super(${stringLiteral(`components:index:${name}`)}, name, args, options);`,
      ...file.statements,
      ...set,
      `this.registerOutputs(${registered});`,
    ];
    const needed = configs.some(({ standard }) => standard === undefined);
    const given = `args: ${name}Args${needed ? '' : ' = {}'}`;
    const body = [
      `/** Inputs of a {@link ${name}}. */`,
      ...(args.length === 0
        ? [`export interface ${name}Args {}`]
        : [`export interface ${name}Args {`, ...args, '}']),
      '',
      `export class ${name} extends ${base} {`,
      ...fields,
      ...(fields.length === 0 ? [] : ['']),
      `  constructor(name: string, ${given}, options: ${file.sdk('ComponentResourceOptions')} = {}) {`,
      ...constructor.map((statement) => indented(indented(statement))),
      '  }',
      '}',
    ].join('\n');
    this.#files.set(`${folder}.ts`, this.#written(file, folder, body));
    const types = new Map(outputs.map(({ name: of, code }) => [of, code.type]));
    const component: TranslatedComponent = {
      className: name,
      file: folder,
      inputs: new Map(configs.map(({ name: of, type }) => [of, type])),
      outputs: types,
      members: componentMembers(types),
    };
    this.#components.set(folder, component);
    return component;
  }
}

/** Resolves a folder that a program names, relative to the folder of the entry. */
export function joined(folder: string, source: string): string {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of source.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
