// How a command is bundled: a few scripts with all code, npm packages too. A script is a table of functions, one for
// each chunk of esbuild, so that code which V8 has compiled can be stored (packages/boundary/processes/src/packs loads
// it).
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { build, transform } from 'esbuild';
import ts from 'typescript';

/** Name for `import` in a chunk: a function that is passed in. As long as the word, so that source maps hold. */
const DYNAMIC_IMPORT = '$mport';
/** Parameters of the function of a chunk. */
const PARAMETERS = ['exports', 'require', DYNAMIC_IMPORT, 'ownUrl'];

/**
 * Bundles the sources `entries`, by name, into scripts in `dist/packs`, and `start`, which loads them, into
 * `dist/start.cjs`.
 *
 * `groups` has the scripts by name, each with sources: it contains their chunks and those that they import statically,
 * unless a script above does. Every other chunk is a script of its own. `isOutside` is true for packages that remain
 * in `node_modules`. Other options are those of esbuild; scripts have source maps if `sourcemap` is true. Returns
 * esbuild's account of the scripts.
 */
export async function buildPacks(options) {
  const { entries, start, groups, isOutside, plugins = [], sourcemap = false, ...settings } = options;
  const { outputFiles, metafile } = await build({
    ...settings,
    entryPoints: entries,
    define: { 'import.meta.url': 'ownUrl' },
    sourcemap,
    sourcesContent: false,
    // Lines stay as they are, for the maps.
    minifySyntax: true,
    write: false,
    metafile: true,
    plugins: [...plugins, npmPackagesOnce(isOutside)],
  });
  const texts = new Map(outputFiles.map(({ path: file, text }) => [path.basename(file), text]));
  await shorten(texts, metafile);
  const graph = chunkGraph(metafile);
  const packs = packsOf(graph, groups);
  mkdirSync('dist/packs', { recursive: true });
  for (const [pack, names] of packs) writePack(pack, names, texts);
  await build({
    ...settings,
    entryPoints: { start },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    splitting: false,
    minifyWhitespace: true,
    define: { CHUNKS: JSON.stringify(chunkTable(graph, packs)), BUILD: JSON.stringify(digestOf(texts)) },
  });
  return metafile;
}

/**
 * Shortens chunks that contain npm packages only, and removes their source maps. `texts` has the chunks by file name.
 * Functions and classes keep the names that they have at run time: errors carry them, and some packages compare them.
 */
export async function shorten(texts, { outputs }) {
  for (const [file, { inputs }] of Object.entries(outputs)) {
    const name = path.basename(file);
    const sources = Object.keys(inputs);
    if (!name.endsWith('.js') || sources.length === 0 || !sources.every(isForeign)) continue;
    const text = texts.get(name);
    const { code } = await transform(text, {
      ...{ minifyWhitespace: true, minifyIdentifiers: true, keepNames: true, format: 'esm' },
    });
    // The default of a CommonJS module remains an expression, see `exportsOfCommonJs`.
    const isCommonJs = /^export default /m.test(text);
    texts.set(
      name,
      isCommonJs ? code.replace(/export\{([\w$]+) as default\};\s*$/, 'export default $1;') : code,
    );
    texts.delete(`${name}.map`);
  }
}

function isForeign(source) {
  return source.split(/[\\/]/).includes('node_modules');
}

/** Digest of all code, so that compiled code of another build is never used for this one. */
function digestOf(texts) {
  const hash = createHash('sha256');
  for (const [name, text] of texts) if (name.endsWith('.js')) hash.update(`${name}\0${text}\0`);
  return hash.digest('hex').slice(0, 32);
}

/** Place and needs of each chunk, by name: its script, and packages outside that it imports statically. */
function chunkTable(graph, packs) {
  const rows = [...packs].flatMap(([pack, names]) =>
    names.map((name) => [name, { ...(pack !== ownScript(name) && { pack }), ...outsideOf(graph, name) }]),
  );
  return Object.fromEntries(rows.map(([name, row]) => [`./${name}`, row]));
}

function outsideOf(graph, name) {
  const outside = [...closure(graph, name)].flatMap((each) => graph.get(each).outside);
  return outside.length === 0 ? {} : { outside: [...new Set(outside)] };
}

/** A chunk and all that it imports statically, in the order of evaluation. Throws for a cycle. */
function closure(graph, name, above = []) {
  if (above.includes(name)) throw new Error(`chunks import each other: ${[...above, name].join(' -> ')}`);
  const needs = graph.get(name).needs.flatMap((needed) => [...closure(graph, needed, [...above, name])]);
  return new Set([...needs, name]);
}

/** Marks a request that {@link npmPackagesOnce} has made itself. */
const FOUND = 'found';

/** Takes npm packages from where the command's own package finds them, so that no package is inside twice. */
export function npmPackagesOnce(isOutside) {
  return {
    name: 'npm-packages-once',
    setup(context) {
      context.onResolve({ filter: /^[^./]/ }, async ({ kind, path: name, importer, pluginData }) => {
        if (kind === 'entry-point') return undefined;
        if (isOutside(name)) return { path: name, external: true };
        const isFound = pluginData === FOUND || isBuiltin(name) || importer.includes('node_modules');
        if (isFound || name.startsWith('@cairn/')) return undefined;
        return context.resolve(name, { kind, resolveDir: process.cwd(), pluginData: FOUND });
      });
    },
  };
}

/** Chunks by name: the source each is the entry of, the chunks and the outside packages it imports statically. */
function chunkGraph({ outputs }) {
  const chunks = Object.entries(outputs).filter(([file]) => file.endsWith('.js'));
  return new Map(
    chunks.map(([file, { imports, entryPoint }]) => {
      const statics = imports.filter(({ kind }) => kind === 'import-statement');
      const outside = statics.filter((each) => each.external === true).map((each) => each.path);
      return [
        path.basename(file),
        {
          entryPoint,
          needs: statics.filter((each) => each.external !== true).map((each) => path.basename(each.path)),
          outside: outside.filter((name) => !isBuiltin(name)),
        },
      ];
    }),
  );
}

/**
 * Turns an ES module that esbuild has written into the body of a function, line by line the same: imports become
 * constants, exports are set at its end, `import()` is passed in, and comments and indentation are left out. `indents`
 * has the columns that each line lost.
 */
function asFunctionBody(name, text) {
  const code = text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
  if (code.includes(DYNAMIC_IMPORT)) throw new Error(`${name} uses ${DYNAMIC_IMPORT}`);
  const source = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const edits = [];
  const exported = new Map();
  const replace = (node, text) => {
    const lines = node.getText(source).split('\n').length - 1;
    edits.push([node.getStart(source), node.end, text + '\n'.repeat(lines)]);
  };
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) replace(statement, requireOf(statement));
    else if (ts.isExportDeclaration(statement)) {
      const names = statement.exportClause.elements.map(({ name: to, propertyName }) => [
        to.text,
        (propertyName ?? to).text,
      ]);
      for (const [to, from] of names) exported.set(to, from);
      replace(statement, '');
    } else if (ts.isExportAssignment(statement)) {
      replace(statement, exportsOfCommonJs(statement.expression.getText(source)));
    }
  }
  const fixed = new Set(exported.values());
  const inText = new Set();
  const visit = (node, inFunction) => {
    edits.push(...commentsBefore(node, source));
    if (ts.isTemplateLiteralToken(node)) for (const line of linesOf(node, source)) inText.add(line);
    if (node.kind === ts.SyntaxKind.ImportKeyword) replace(node, DYNAMIC_IMPORT);
    if (inFunction && fixed.has(assignedName(node))) {
      throw new Error(
        `${name} exports ${assignedName(node)}, which a function assigns: others would see its first value`,
      );
    }
    const inner = inFunction || ts.isFunctionLike(node);
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  for (const statement of source.statements)
    if (ts.isImportDeclaration(statement)) edits.push(...commentsBefore(statement, source));
    else visit(statement, false);
  const sets = [...exported].map(([to, from]) => `exports.${to} = ${from};`).join('');
  const lines = inAscii(edited(code, edits)).split('\n');
  const indents = lines.map((line, index) => (inText.has(index) ? 0 : line.length - line.trimStart().length));
  return { lines: [...lines.map((line, index) => line.slice(indents[index])), sets], indents };
}

/** Edits that remove the comments before a node which have their lines for themselves. Line breaks stay. */
function commentsBefore({ pos }, { text }) {
  return (ts.getLeadingCommentRanges(text, pos) ?? []).flatMap(({ pos: from, end }) => {
    const isAlone =
      /(^|\n)[ \t]*$/.test(text.slice(Math.max(0, from - 200), from)) && /^\n/.test(text.slice(end, end + 1));
    return isAlone ? [[from, end, text.slice(from, end).replace(/[^\n]/g, '')]] : [];
  });
}

/** Returns the lines of a node but its first one. */
function linesOf(node, source) {
  const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
  const { line: last } = source.getLineAndCharacterOfPosition(node.end);
  return Array.from({ length: last - first }, (_, index) => first + 1 + index);
}

/** esbuild exports a CommonJS module as the default; Node gives its names to `import()` as well. */
function exportsOfCommonJs(value) {
  return `Object.assign(exports, ${value}, { default: ${value} });`;
}

/** Functions of Node that few commands call: their modules are loaded when they are called. */
const ON_CALL = {
  'node:child_process': ['spawn', 'spawnSync'],
  'node:readline': ['createInterface'],
};

/** The text of an import as constants. */
function requireOf({ importClause, moduleSpecifier }) {
  const module = `require(${JSON.stringify(moduleSpecifier.text)})`;
  if (importClause === undefined) return `${module};`;
  const onCall = onCallOf(importClause, moduleSpecifier.text);
  if (onCall !== undefined)
    return onCall.map(([name, to]) => `const ${to} = (...given) => ${module}.${name}(...given);`).join(' ');
  const { name, namedBindings } = importClause;
  const targets = name === undefined ? [] : [name.text];
  if (namedBindings !== undefined) targets.push(bindingsText(namedBindings));
  return `const ${targets.map((target) => `${target} = ${module}`).join(', ')};`;
}

/** Returns the names of an import, and their local names, if all are functions whose module is loaded on a call. */
function onCallOf({ name, namedBindings }, module) {
  if (name !== undefined || namedBindings === undefined || ts.isNamespaceImport(namedBindings))
    return undefined;
  const names = namedBindings.elements.map(({ name: to, propertyName }) => [
    (propertyName ?? to).text,
    to.text,
  ]);
  return names.every(([each]) => ON_CALL[module]?.includes(each)) ? names : undefined;
}

function bindingsText(bindings) {
  if (ts.isNamespaceImport(bindings)) return bindings.name.text;
  const names = bindings.elements.map(({ name, propertyName }) =>
    propertyName === undefined ? name.text : `${propertyName.text}: ${name.text}`,
  );
  return `{ ${names.join(', ')} }`;
}

/** Name of the variable that a node gives another value. */
function assignedName(node) {
  const target =
    ts.isBinaryExpression(node) && ts.isAssignmentOperator(node.operatorToken.kind)
      ? node.left
      : (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && isStep(node.operator)
        ? node.operand
        : undefined;
  return target !== undefined && ts.isIdentifier(target) ? target.text : undefined;
}

function isStep(operator) {
  return operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;
}

/** Escapes what esbuild leaves unescaped: regular expressions. A script of ASCII takes one byte a character. */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function edited(code, edits) {
  let text = '';
  let done = 0;
  for (const [start, end, replacement] of edits.sort(([a], [b]) => a - b)) {
    // A node and its first part begin with the same comment.
    if (start < done) continue;
    text += code.slice(done, start) + replacement;
    done = end;
  }
  return text + code.slice(done);
}

/** Name of the script of a chunk that no other script contains. */
function ownScript(name) {
  return path.parse(name).name;
}

/** Names of the chunks of each script, by the name of the script. */
function packsOf(graph, groups) {
  const byEntry = new Map([...graph].map(([name, { entryPoint }]) => [entryPoint, name]));
  const packs = new Map();
  const taken = new Set();
  for (const [pack, sources] of Object.entries(groups)) {
    const entries = sources.map((source) => byEntry.get(source));
    if (entries.includes(undefined)) throw new Error(`a source of ${pack} is not the entry of a chunk`);
    const names = new Set(
      entries.flatMap((name) => [...closure(graph, name)]).filter((name) => !taken.has(name)),
    );
    for (const name of names) taken.add(name);
    packs.set(pack, [...names]);
  }
  for (const name of graph.keys()) if (!taken.has(name)) packs.set(ownScript(name), [name]);
  return packs;
}

/** Writes a script whose value is a table of functions by name of the chunk, and its source map if chunks have some. */
function writePack(pack, names, texts) {
  const lines = ['({'];
  const map = { version: 3, file: `${pack}.cjs`, names: [], sources: [], mappings: [] };
  for (const name of names) {
    lines.push(`${JSON.stringify(`./${name}`)}:(function(${PARAMETERS.join(',')}){'use strict';`);
    const chunkMap = texts.get(`${name}.map`);
    const body = asFunctionBody(name, texts.get(name));
    if (chunkMap !== undefined) addMap(map, lines.length, JSON.parse(chunkMap), body.indents);
    lines.push(...body.lines, '}),');
  }
  const hasMap = map.sources.length > 0;
  lines.push('})', ...(hasMap ? [`//# sourceMappingURL=${map.file}.map`] : []), '');
  writeFileSync(`dist/packs/${map.file}`, lines.join('\n'));
  if (!hasMap) return;
  writeFileSync(`dist/packs/${map.file}.map`, JSON.stringify({ ...map, mappings: encode(map.mappings) }));
}

/** Appends the map of a chunk whose code begins in a line. Node reads no maps that consist of sections. */
function addMap(map, line, { sources, names, mappings }, indents) {
  const [firstSource, firstName] = [map.sources.length, map.names.length];
  while (map.mappings.length < line) map.mappings.push([]);
  for (const [index, segments] of decode(mappings).entries()) {
    map.mappings.push(
      segments.map(([inChunk, source, ...rest]) => {
        const column = Math.max(0, inChunk - (indents[index] ?? 0));
        if (source === undefined) return [column];
        const [sourceLine, sourceColumn, name] = rest;
        const place = [column, source + firstSource, sourceLine, sourceColumn];
        return name === undefined ? place : [...place, name + firstName];
      }),
    );
  }
  map.sources.push(...sources.map((source) => `../${source}`));
  map.names.push(...names);
}
