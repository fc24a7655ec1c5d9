// Reads the surface of the installed `@pulumi/pulumi`: exports of its type declarations with their members, and its
// protocol, from the generated code.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Modules that programs import, by their path in the package. */
const MODULES = [
  'index',
  'asset/index',
  'automation/index',
  'dynamic/index',
  'iterable/index',
  'log/index',
  'provider/index',
  'queryable/index',
  'runtime/index',
];

/** `{ exports, messages, enums, rpcs }` of the package in a directory, each in order of name. */
export function surfaceOf(directory) {
  return { exports: exportsOf(directory), ...protocolOf(path.join(directory, 'proto')) };
}

/** Module, then name of the export, to its kind and the names of its members. */
function exportsOf(directory) {
  const files = MODULES.map((module) => path.join(directory, `${module}.d.ts`));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  return Object.fromEntries(
    files.map((file, index) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(file));
      const found = checker.getExportsOfModule(module).map((symbol) => {
        const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
        return [symbol.name, { kind: kindOf(target), members: membersOf(target, checker, directory) }];
      });
      return [MODULES[index].replace(/\/?index$/, '') || 'index', sorted(found)];
    }),
  );
}

const KINDS = ['Class', 'Function', 'Enum', 'Variable', 'Interface', 'TypeAlias', 'Module'];

function kindOf({ flags }) {
  const kind = KINDS.find((each) => flags & ts.SymbolFlags[each]);
  return { TypeAlias: 'type', Module: 'namespace', Variable: 'value' }[kind] ?? kind.toLowerCase();
}

/** Public members that the package itself declares, static ones with a dot in front. */
function membersOf(symbol, checker, directory) {
  const F = ts.SymbolFlags;
  const names = [];
  const isOwn = (member) =>
    (member.declarations ?? []).some(
      (each) =>
        each.getSourceFile().fileName.startsWith(directory) &&
        !(ts.getCombinedModifierFlags(each) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)),
    );
  if (symbol.flags & (F.Class | F.Interface | F.TypeAlias)) {
    const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));
    names.push(...properties.filter(isOwn).map(({ name }) => name));
  }
  if (symbol.flags & (F.Class | F.Enum))
    names.push(...[...(symbol.exports?.values() ?? [])].filter(isOwn).map(({ name }) => `.${name}`));
  return [...new Set(names)].filter((name) => !/^\.?(__|prototype$)/.test(name)).sort();
}

/** Fields by message, values by enum, and paths of calls. */
function protocolOf(directory) {
  const messages = [];
  const enums = [];
  const rpcs = [];
  for (const file of readdirSync(directory, { recursive: true })) {
    if (!file.endsWith('_pb.js')) continue;
    const text = readFileSync(path.join(directory, file), 'utf8');
    if (file.endsWith('_grpc_pb.js')) rpcs.push(...callsOf(text));
    else {
      messages.push(...messagesOf(text));
      enums.push(...enumsOf(text));
    }
  }
  return { messages: sorted(messages), enums: sorted(enums), rpcs: rpcs.sort() };
}

function callsOf(text) {
  const found = text.matchAll(/path: '\/([^']+)',\s*requestStream: (\w+),\s*responseStream: (\w+)/g);
  return [...found].map(
    ([, call, asks, answers]) =>
      `${call}${asks === 'true' ? ' asks' : ''}${answers === 'true' ? ' streams' : ''}`,
  );
}

/** A message writes its fields one after the other: the getter has the name, the writer the number. */
function messagesOf(text) {
  const bodies = text.matchAll(
    /^proto\.([\w.]+)\.serializeBinaryToWriter = function\(message, writer\) \{\n([\s\S]*?)^\};/gm,
  );
  return [...bodies].map(([, message, body]) => {
    const getters = gettersOf(text, message);
    const fields = body.matchAll(
      /f = (?:\/\*\*[^/]*\*\/ ?\(?)?(?:message\.get[\w$]+\(|.*?jspb\.Message\.getField\(message, \d+\))[\s\S]*?(?:writer\.write\w+|f\.serializeBinary)\(\s*(\d+)/g,
    );
    return [message, sorted([...fields].map(([, number]) => [number, getters.get(number) ?? '?']))];
  });
}

/** Returns names of fields in lower case, the only form that is left, by number. */
function gettersOf(text, message) {
  const own = message.replaceAll('.', '\\.');
  const found = text.matchAll(
    new RegExp(
      `^proto\\.${own}\\.prototype\\.get([\\w$]+) = function\\([^)]*\\) \\{[\\s\\S]{0,250}?\\(this, [^\\d;]*?(\\d+)`,
      'gm',
    ),
  );
  const names = [...found].filter(([, getter]) => !/_as(U8|B64)$|Case$/.test(getter));
  return new Map(
    names
      .map(([, getter, number]) => [number, getter.replace(/(List|Map)?\$?$/, '').toLowerCase()])
      .reverse(),
  );
}

function enumsOf(text) {
  const bodies = text.matchAll(/^proto\.([\w.]+) = \{\n((?: {2}\w+: -?\d+,?\n)+)\};/gm);
  return [...bodies].map(([, name, body]) => [
    name,
    Object.fromEntries(
      [...body.matchAll(/(\w+): (-?\d+)/g)].map(([, value, number]) => [value, Number(number)]),
    ),
  ]);
}

function sorted(entries) {
  const byName = new Intl.Collator('en', { numeric: true });
  return Object.fromEntries([...entries].sort(([a], [b]) => byName.compare(a, b)));
}
