import type ts from 'typescript';
import { NOT_HERE, said } from './names.js';
import type { Edit } from './edits.js';

type TypeScript = typeof ts;

/** The other SDK, and ours. A file that is migrated already is read like one that is not. */
const SDKS = new Set(['@pulumi/pulumi', '@cairn/sdk']);

/** Names by which a file uses an SDK. */
export interface ImportedNames {
  /** Names of the whole module. */
  readonly namespaces: Set<string>;
  /** Specifiers of single names, by the name in the file. */
  readonly named: Map<string, ts.ImportSpecifier | ts.ExportSpecifier>;
}

/** Collects edits and findings while a file is read. */
export interface Notes {
  readonly edits: Edit[];
  report(node: ts.Node, why: string): void;
}

/** Reads the imports of a file, in every form, and redirects them to our SDK. */
export function readImports(compiler: TypeScript, file: ts.SourceFile, notes: Notes): ImportedNames {
  const names: ImportedNames = { namespaces: new Set(), named: new Map() };
  const visit = (node: ts.Node): void => {
    if (compiler.isImportDeclaration(node) && compiler.isStringLiteral(node.moduleSpecifier)) {
      if (leadsToSdk(node.moduleSpecifier, notes)) bind(compiler, node, names, notes);
    } else if (compiler.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      leadsToSdk(node.moduleSpecifier as ts.StringLiteral, notes);
    } else if (compiler.isExternalModuleReference(node) && compiler.isStringLiteral(node.expression)) {
      if (leadsToSdk(node.expression, notes) && compiler.isImportEqualsDeclaration(node.parent))
        names.namespaces.add(node.parent.name.text);
    } else if (compiler.isCallExpression(node)) {
      const specifier = requiredModule(compiler, node);
      if (specifier !== undefined && leadsToSdk(specifier, notes)) bindRequired(compiler, node, names, notes);
    }
    compiler.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** Returns the argument of `require('…')` and of `import('…')`. */
function requiredModule(compiler: TypeScript, node: ts.CallExpression): ts.StringLiteral | undefined {
  const { expression, arguments: args } = node;
  const isRequire = compiler.isIdentifier(expression) && expression.text === 'require';
  const isImport = expression.kind === compiler.SyntaxKind.ImportKeyword;
  const [first] = args;
  return (isRequire || isImport) && first !== undefined && compiler.isStringLiteral(first)
    ? first
    : undefined;
}

/**
 * Returns true if the specifier is an SDK. The other SDK becomes ours. Any other module that needs the other SDK is
 * reported.
 */
function leadsToSdk(specifier: ts.StringLiteral, { edits, report }: Notes): boolean {
  const { text } = specifier;
  if (SDKS.has(text)) {
    if (text !== '@cairn/sdk')
      edits.push({ start: specifier.getStart() + 1, end: specifier.getEnd() - 1, text: '@cairn/sdk' });
    return true;
  }
  const inner = /^@pulumi\/pulumi\/(\w+)/.exec(text)?.[1];
  const other = /^@pulumi\/([\w-]+)/.exec(text)?.[1];
  if (inner !== undefined)
    report(specifier, said(NOT_HERE, inner) ?? `${text} is an internal module of @pulumi/pulumi`);
  else if (other === 'policy')
    report(specifier, 'policy packs are written with policyPack of @cairn/sdk/policy');
  else if (other !== undefined)
    report(
      specifier,
      `${text} is made for @pulumi/pulumi: run \`cairn package add ${other}\` to generate one for @cairn/sdk`,
    );
  return false;
}

function bind(compiler: TypeScript, node: ts.ImportDeclaration, names: ImportedNames, notes: Notes): void {
  const clause = node.importClause;
  if (clause === undefined) return;
  const bindings = clause.namedBindings;
  if (clause.name !== undefined) {
    if (bindings !== undefined) {
      notes.report(node, 'there is no default export: import the namespace and the names separately');
    } else {
      notes.edits.push({ start: clause.name.getStart(), end: clause.name.getStart(), text: '* as ' });
      names.namespaces.add(clause.name.text);
    }
  }
  if (bindings === undefined) return;
  if (compiler.isNamespaceImport(bindings)) names.namespaces.add(bindings.name.text);
  else for (const specifier of bindings.elements) names.named.set(specifier.name.text, specifier);
}

function bindRequired(
  compiler: TypeScript,
  call: ts.CallExpression,
  names: ImportedNames,
  notes: Notes,
): void {
  const outer = compiler.isAwaitExpression(call.parent) ? call.parent.parent : call.parent;
  if (!compiler.isVariableDeclaration(outer)) return;
  if (compiler.isIdentifier(outer.name)) {
    names.namespaces.add(outer.name.text);
    return;
  }
  if (!compiler.isObjectBindingPattern(outer.name)) return;
  for (const { name, propertyName } of outer.name.elements) {
    const there = (propertyName ?? name).getText();
    const why = said(NOT_HERE, there);
    if (why !== undefined) notes.report(name, `${there}: ${why}`);
  }
}
