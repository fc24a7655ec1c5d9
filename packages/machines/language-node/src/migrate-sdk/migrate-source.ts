import type ts from 'typescript';
import { edited } from './edits.js';
import type { Edit } from './edits.js';
import { readImports } from './imports.js';
import type { ImportedNames, Notes } from './imports.js';
import { MEMBERS_NOT_HERE, NOT_HERE, RENAMED, WRITTEN_OUT, said } from './names.js';

type TypeScript = typeof ts;

/** Task that is left to a person. */
interface Finding {
  readonly line: number;
  readonly why: string;
}

/** Source after the migration. The same text when there was nothing to do. */
export interface MigratedSource {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** End of findings that leave a file on the other SDK. The methods of a dynamic provider have other shapes here. */
const LEAVES_FILE = NOT_HERE['dynamic'] ?? '';

/** Turns a source on `@pulumi/pulumi` into one on `@cairn/sdk`. Lines that need no change keep every character. */
export function migrateSource(compiler: TypeScript, fileName: string, text: string): MigratedSource {
  const file = compiler.createSourceFile(fileName, text, compiler.ScriptTarget.Latest, true);
  const edits: Edit[] = [];
  const findings: Finding[] = [];
  const report = (node: ts.Node, why: string): void => {
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    if (!findings.some((finding) => finding.line === line && finding.why === why))
      findings.push({ line, why });
  };
  const notes: Notes = { edits, report };
  const names = readImports(compiler, file, notes);
  if (names.namespaces.size > 0 || names.named.size > 0) new Uses(compiler, file, names, notes).migrate();
  findings.sort((a, b) => a.line - b.line);
  if (findings.some(({ why }) => why.endsWith(LEAVES_FILE))) return { text, findings };
  return { text: edited(text, edits), findings };
}

/** Use of an SDK in a file: the path after the module, and the nodes that end it. */
interface Use {
  /** Text at the start of the path: `pulumi.`, or nothing for a name that is imported directly. */
  readonly prefix: string;
  /** Names from the module on, and the node that each of them ends. */
  readonly path: readonly { readonly name: string; readonly node: ts.Node }[];
  /** Import of the first name. */
  readonly specifier: ts.ImportSpecifier | undefined;
}

/** Rewrites the uses of an SDK in a file. */
class Uses {
  /** By import: whether the name is still used, and names that are used in its place. */
  readonly #imports = new Map<ts.ImportSpecifier, { kept: boolean; readonly added: Set<string> }>();
  readonly #compiler: TypeScript;
  readonly #file: ts.SourceFile;
  readonly #names: ImportedNames;
  readonly #notes: Notes;

  constructor(compiler: TypeScript, file: ts.SourceFile, names: ImportedNames, notes: Notes) {
    this.#compiler = compiler;
    this.#file = file;
    this.#names = names;
    this.#notes = notes;
  }

  migrate(): void {
    this.#visit(this.#file);
    for (const [specifier, uses] of this.#imports) this.#migrateImport(specifier, uses);
  }

  #visit(node: ts.Node): void {
    const compiler = this.#compiler;
    if (compiler.isImportDeclaration(node) || compiler.isImportEqualsDeclaration(node)) return;
    const use = this.#useAt(node);
    if (use !== undefined) {
      this.#migrateUse(node, use);
      return;
    }
    if (compiler.isCallExpression(node)) this.#migrateCall(node);
    if (compiler.isClassDeclaration(node)) this.#migrateClass(node);
    const member =
      compiler.isPropertyAccessExpression(node) || compiler.isPropertyAssignment(node)
        ? node.name
        : undefined;
    const why = member === undefined ? undefined : said(MEMBERS_NOT_HERE, member.getText());
    if (member !== undefined && why !== undefined) this.#notes.report(member, `${member.getText()}: ${why}`);
    compiler.forEachChild(node, (child) => this.#visit(child));
  }

  /** Returns the longest path from the SDK that a node is. */
  #useAt(node: ts.Node): Use | undefined {
    const compiler = this.#compiler;
    const names = this.#names;
    const path: { name: string; node: ts.Node }[] = [];
    let at = node;
    while (compiler.isPropertyAccessExpression(at) || compiler.isQualifiedName(at)) {
      path.unshift({ name: compiler.isQualifiedName(at) ? at.right.text : at.name.text, node: at });
      at = compiler.isQualifiedName(at) ? at.left : at.expression;
    }
    if (!compiler.isIdentifier(at) || !this.#isReference(at)) return undefined;
    if (names.namespaces.has(at.text))
      return path.length === 0 ? undefined : { prefix: `${at.text}.`, path, specifier: undefined };
    const specifier = names.named.get(at.text);
    if (specifier === undefined || !compiler.isImportSpecifier(specifier)) return undefined;
    path.unshift({ name: (specifier.propertyName ?? specifier.name).text, node: at });
    return { prefix: '', path, specifier };
  }

  /** Returns true if an identifier refers to a value or type, rather than being the name of something. */
  #isReference(node: ts.Identifier): boolean {
    const compiler = this.#compiler;
    const { parent } = node;
    if (compiler.isPropertyAccessExpression(parent)) return parent.expression === node;
    if (compiler.isQualifiedName(parent)) return parent.left === node;
    return !('name' in parent && parent.name === node) || compiler.isShorthandPropertyAssignment(parent);
  }

  #migrateUse(node: ts.Node, { prefix, path, specifier }: Use): void {
    const known = [2, 1].filter((length) => length <= path.length).map((length) => path.slice(0, length));
    const fullName = (parts: Use['path']): string => parts.map(({ name }) => name).join('.');
    for (const parts of known) {
      const there = fullName(parts);
      const end = parts.at(-1)?.node as ts.Node;
      const start = node.getStart(this.#file);
      const here = said(RENAMED, there);
      if (here !== undefined) {
        this.#usesOf(specifier)?.added.add(here);
        this.#notes.edits.push({ start, end: end.getEnd(), text: `${prefix}${here}` });
        return;
      }
      const written = said(WRITTEN_OUT, there);
      if (written !== undefined) {
        this.#usesOf(specifier);
        this.#notes.edits.push({ start, end: end.getEnd(), text: written });
        return;
      }
      const why = said(NOT_HERE, there);
      if (why !== undefined) {
        this.#notes.report(node, `${there}: ${why}`);
        break;
      }
    }
    const uses = this.#usesOf(specifier);
    if (uses !== undefined) uses.kept = true;
  }

  #usesOf(specifier: ts.ImportSpecifier | undefined) {
    if (specifier === undefined) return undefined;
    const uses = this.#imports.get(specifier) ?? { kept: false, added: new Set<string>() };
    this.#imports.set(specifier, uses);
    return uses;
  }

  /** Names the further arguments of messages and URNs. */
  #migrateCall({ expression, arguments: args }: ts.CallExpression): void {
    const use = this.#useAt(expression);
    const path = use?.path.map(({ name }) => name).join('.') ?? '';
    if (/^log\.(debug|info|warn|error)$/.test(path) && args.length > 1) {
      if (this.#compiler.isObjectLiteralExpression(args[1] as ts.Expression)) return;
      this.#byName(args.slice(1), ['resource', 'streamId', 'ephemeral']);
    } else if (path === 'createUrn' && args.length > 1) {
      this.#byName(args, ['name', 'type', 'parent', 'project', 'stack']);
    }
  }

  #byName(args: readonly ts.Expression[], names: readonly string[]): void {
    args.forEach((arg, at) => {
      const start = arg.getStart(this.#file);
      this.#notes.edits.push({ start, end: start, text: `${at === 0 ? '{ ' : ''}${names[at] ?? ''}: ` });
    });
    const end = args.at(-1)?.getEnd() ?? 0;
    this.#notes.edits.push({ start: end, end, text: ' }' });
  }

  /** Turns a property that declares an output of a custom resource into a getter: our SDK asks for outputs. */
  #migrateClass(node: ts.ClassDeclaration): void {
    const compiler = this.#compiler;
    const file = this.#file;
    const base = node.heritageClauses?.find(({ token }) => token === compiler.SyntaxKind.ExtendsKeyword)
      ?.types[0];
    const use = base === undefined ? undefined : this.#useAt(base.expression);
    const name = use?.path.map((part) => part.name).join('.');
    if (name !== 'CustomResource' && name !== 'ProviderResource') return;
    if (/\.[cm]?jsx?$/.test(file.fileName))
      this.#notes.report(
        node,
        'use outputOf for outputs of a custom resource: add a getter to the class for each output that is used',
      );
    for (const member of node.members) {
      if (!compiler.isPropertyDeclaration(member) || member.initializer !== undefined) continue;
      const { type } = member;
      if (type === undefined || !compiler.isTypeReferenceNode(type) || !compiler.isIdentifier(member.name))
        continue;
      if (this.#useAt(type.typeName)?.path.at(-1)?.name !== 'Output') continue;
      const kept = member.modifiers
        ?.filter(
          ({ kind }) =>
            kind !== compiler.SyntaxKind.ReadonlyKeyword && kind !== compiler.SyntaxKind.DeclareKeyword,
        )
        .map((modifier) => `${modifier.getText(file)} `)
        .join('');
      const text = `${kept ?? ''}get ${member.name.text}(): `;
      this.#notes.edits.push({ start: member.getStart(file), end: type.getStart(file), text });
      const body = ` { return this.outputOf('${member.name.text}'); }`;
      this.#notes.edits.push({ start: type.getEnd(), end: member.getEnd(), text: body });
    }
  }

  /** Imports names that replace an imported one. Removes one that is no longer used. */
  #migrateImport(
    specifier: ts.ImportSpecifier,
    { kept, added }: { kept: boolean; added: Set<string> },
  ): void {
    const already = [...this.#names.named.values()].map(({ name }) => name.text);
    const wanted = [...added].filter((name) => !already.includes(name));
    if (kept && wanted.length === 0) return;
    const own = kept ? [specifier.getText(this.#file)] : [];
    const text = [...own, ...wanted].join(', ');
    const { elements } = specifier.parent;
    const at = elements.indexOf(specifier);
    const next = elements[at + 1];
    const previous = elements[at - 1];
    const start = specifier.getStart(this.#file);
    if (text !== '') this.#notes.edits.push({ start, end: specifier.getEnd(), text });
    else if (next !== undefined) this.#notes.edits.push({ start, end: next.getStart(this.#file), text });
    else if (previous !== undefined)
      this.#notes.edits.push({ start: previous.getEnd(), end: specifier.getEnd(), text });
    else this.#notes.edits.push({ start, end: specifier.getEnd(), text });
  }
}
