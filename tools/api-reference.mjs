#!/usr/bin/env node
/**
 * Writes `docs/api.md` of each SDK, the reference of its exports, from types and doc comments. With `--check`, reports
 * pages that are out of date and exports without a comment, and ends with 1 then.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { packageFolder } from './workspaces.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const check = process.argv.includes('--check');

/** Packages that people write programs and providers with, and programs that deploy them. */
const PACKAGES = ['sdk', 'provider-sdk', 'provider-terraform', 'automation'];

/** Entries that only runners of programs use. */
const INNER = new Set([
  './program',
  './run',
  './run-policy-pack',
  './runtime',
  './served-module',
  './package.json',
]);

const { entries, program } = load();
const checker = program.getTypeChecker();
const problems = [];
for (const [name, sources] of Object.entries(entries)) {
  const page = path.join(packageFolder(name), 'docs', 'api.md');
  const text = reference(name, sources);
  if (!check) {
    mkdirSync(path.dirname(page), { recursive: true });
    writeFileSync(page, text);
  } else if (stored(page) !== text)
    problems.push(`${path.relative(root, page)} is not up to date: node tools/api-reference.mjs`);
}
if (problems.length > 0) console.log(problems.join('\n'));
process.exitCode = problems.length > 0 ? 1 : 0;

function stored(page) {
  try {
    return readFileSync(page, 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return undefined;
  }
}

/** Source files of the entries by package, and the program that they are in. */
function load() {
  const files = PACKAGES.map((name) => {
    const folder = packageFolder(name);
    const { exports } = require(path.join(folder, 'package.json'));
    const wanted = Object.keys(exports).filter((entry) => !INNER.has(entry));
    return [name, wanted.map((entry) => [entry, path.join(folder, exports[entry]['cairn-src'])])];
  });
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.base.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const names = files.flatMap(([, found]) => found.map(([, file]) => file));
  const made = ts.createProgram(names, { ...options, customConditions: ['cairn-src'], noEmit: true });
  return { entries: Object.fromEntries(files), program: made };
}

function reference(name, sources) {
  const parts = [
    `# What @cairn/${name} exports`,
    '<!-- written by tools/api-reference.mjs from types and doc comments -->',
    ...sources.flatMap(([entry, file]) => [
      `## \`@cairn/${name}${entry.slice(1)}\``,
      ...exportsOf(file).map((symbol) => described(symbol, name)),
    ]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Exports of a module by name, without regard to case. */
function exportsOf(file) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file));
  if (module === undefined) return [];
  const key = (symbol) => [symbol.name.toLowerCase(), symbol.name].join(' ');
  return checker.getExportsOfModule(module).sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function described(exported, pkg) {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const declarations = (symbol.declarations ?? []).filter((node) => !isImplementation(node, symbol));
  const comment = commentOf(exported) || commentOf(symbol) || commentOfExport(exported);
  if (comment === '') problems.push(`@cairn/${pkg}: ${exported.name} has no doc comment`);
  const code = declarations.map((node) => headOf(node, exported.name)).join('\n');
  const members = declarations.flatMap(membersOf);
  return [`### ${exported.name}`, comment, `\`\`\`ts\n${code}\n\`\`\``, members.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Of an overloaded function, the declaration that is none of its overloads. */
function isImplementation(node, { declarations }) {
  return ts.isFunctionDeclaration(node) && node.body !== undefined && declarations.length > 1;
}

function commentOf(symbol) {
  return prose(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
}

/** The comment of `export * as name`. */
function commentOfExport({ declarations }) {
  const [statement] = declarations?.filter(ts.isNamespaceExport).map(({ parent }) => parent) ?? [];
  const docs = statement === undefined ? [] : ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
  return docs.map(({ comment }) => prose(ts.getTextOfJSDocComment(comment) ?? '')).join('\n');
}

/** A comment as Markdown: links to code are code. */
function prose(text) {
  return text.replace(/\{@link (\S+?)\}/g, '`$1`').trim();
}

/** A declaration without its body. */
function headOf(node, name) {
  if (ts.isSourceFile(node)) return `namespace ${name}`;
  if (ts.isFunctionDeclaration(node)) return upTo(node, node.body);
  if (ts.isVariableDeclaration(node))
    return `const ${name}: ${checker.typeToString(checker.getTypeAtLocation(node))};`;
  if (!ts.isClassDeclaration(node) && !ts.isInterfaceDeclaration(node)) return upTo(node, undefined);
  const text = node.getText();
  return text
    .slice(0, text.indexOf('{', text.indexOf(node.name.text) + node.name.text.length))
    .replace(/^export /, '')
    .trim();
}

function upTo(node, body) {
  const text = node.getText();
  const head = body === undefined ? text : `${text.slice(0, body.getStart() - node.getStart()).trim()};`;
  return head.replace(/^export /, '').replace(/\basync /, '');
}

/** Returns the public members of a class or an interface, a line each. */
function membersOf(node) {
  if (ts.isSourceFile(node))
    return exportsOf(node.fileName).map((symbol) => item(symbol.name, commentOf(symbol)));
  if (!ts.isClassDeclaration(node) && !ts.isInterfaceDeclaration(node)) return [];
  return node.members.flatMap((member) => {
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.NonPublicAccessibilityModifier;
    const isHidden = (ts.getCombinedModifierFlags(member) & hidden & ~ts.ModifierFlags.Protected) !== 0;
    if (isHidden || (member.name !== undefined && !ts.isIdentifier(member.name))) return [];
    const comment = prose(
      ts
        .getJSDocCommentsAndTags(member)
        .map((doc) => (ts.isJSDoc(doc) ? (ts.getTextOfJSDocComment(doc.comment) ?? '') : ''))
        .join('\n'),
    );
    return [item(memberHead(member), comment)];
  });
}

function memberHead(member) {
  const head = 'body' in member ? upTo(member, member.body).replace(/;$/, '') : member.getText();
  const bare =
    ts.isPropertyDeclaration(member) && member.initializer !== undefined ? head.split(' = ')[0] : head;
  return bare
    .replace(/^(?:override |readonly |public )+/, '')
    .replace(/;$/, '')
    .replaceAll(/\s+/g, ' ');
}

function item(head, comment) {
  return `- \`${head}\`${comment === '' ? '' : `: ${comment.replaceAll(/\s*\n\s*/g, ' ')}`}`;
}
