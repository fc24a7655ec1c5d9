import path from 'node:path';
import type tsModule from 'typescript';
import type ts from 'typescript';
import type { ShapeSpec } from '../schema/property.js';
import { ComponentTypeError } from './described.js';
import { NotedFiles } from './answers.js';
import type { DescribedComponent } from './described.js';
import type { ReadTypes } from './kept.js';
import { TypeReader } from './read-type.js';
import { extendsClass, symbolName, wrappedType } from './type-kinds.js';

/**
 * Reads the component classes that a module exports: the type of their constructor's second argument, and their public
 * properties that are outputs or resources. Throws {@link ComponentTypeError} with all types that a schema cannot
 * express.
 */
export function inferComponents(api: typeof tsModule, file: string): ReadTypes {
  const files = new NotedFiles(api);
  const { options, directory } = project(api, file, files);
  const compiler = api.createProgram([file], options, files.host(options, directory));
  const checker = compiler.getTypeChecker();
  const source = compiler.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new ComponentTypeError([`${file}: exports nothing`]);
  const baseless: Parameters<TypeReader['refuse']>[0][] = [];
  const classes = checker.getExportsOfModule(module).flatMap((exported) => {
    const isAlias = (exported.flags & api.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
    const declaration = symbol.declarations?.find(api.isClassDeclaration);
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    if (declaration !== undefined && isBaseless(api, checker, declaration))
      baseless.push({ node: declaration, path: exported.name });
    if (declaration === undefined || !extendsClass(type, 'ComponentResource')) return [];
    return [{ name: exported.name, symbol, declaration }];
  });
  const served = new Map(classes.map(({ symbol, name }) => [symbol, `index:${name}`]));
  const reader = new TypeReader(api, checker, served);
  for (const at of baseless)
    reader.refuse(
      at,
      'the class that it extends is not found: is its package installed, and `module` NodeNext?',
    );
  const components: Record<string, DescribedComponent> = {};
  for (const { name, symbol, declaration } of classes) {
    components[name] = {
      description: reader.description(symbol),
      inputs: inputsOf(reader, checker, symbol, declaration),
      outputs: outputsOf(api, reader, checker, declaration),
    };
  }
  if (reader.problems.length > 0) throw new ComponentTypeError(reader.problems);
  return { answers: files.answers, components };
}

/** Tells whether a class extends something that the compiler does not know. */
function isBaseless(
  api: typeof tsModule,
  checker: ts.TypeChecker,
  declaration: ts.ClassDeclaration,
): boolean {
  const clause = declaration.heritageClauses?.find(({ token }) => token === api.SyntaxKind.ExtendsKeyword);
  const [base] = clause?.types ?? [];
  return base !== undefined && (checker.getTypeAtLocation(base.expression).flags & api.TypeFlags.Any) !== 0;
}

/** Returns the options and the directory of the module's own project. The options write no output. */
function project(api: typeof tsModule, file: string, files: NotedFiles) {
  const config = api.findConfigFile(path.dirname(file), files.fileExists);
  const read = config === undefined ? undefined : api.readConfigFile(config, files.readFile);
  const directory = path.dirname(config ?? file);
  const system = { ...api.sys, ...files, readDirectory: () => [] };
  const own =
    read === undefined
      ? { target: api.ScriptTarget.ES2022, module: api.ModuleKind.NodeNext, strict: true }
      : api.parseJsonConfigFileContent(read.config, system, directory, undefined, config).options;
  // Without strictNullChecks, types do not say which values are optional.
  const quiet = { strictNullChecks: true, noEmit: true, skipLibCheck: true, types: own.types ?? [] };
  return { options: { ...own, ...quiet } as ts.CompilerOptions, directory };
}

function inputsOf(
  reader: TypeReader,
  checker: ts.TypeChecker,
  symbol: ts.Symbol,
  declaration: ts.ClassDeclaration,
): ShapeSpec {
  const constructed = checker.getTypeOfSymbolAtLocation(symbol, declaration).getConstructSignatures()[0];
  const args = constructed?.parameters[1];
  if (args === undefined) return {};
  const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(args, declaration));
  const at = { node: args.valueDeclaration ?? declaration, path: `${symbol.name} ${args.name}` };
  if (symbolName(type) !== 'ComponentResourceOptions') return reader.shape(type, at);
  reader.refuse(at, 'its constructor must take its arguments before the options: (name, args, options)');
  return {};
}

function outputsOf(
  api: typeof tsModule,
  reader: TypeReader,
  checker: ts.TypeChecker,
  declaration: ts.ClassDeclaration,
): ShapeSpec {
  const members = [...declaration.members].flatMap((member) => {
    const hidden = api.ModifierFlags.Private | api.ModifierFlags.Protected | api.ModifierFlags.Static;
    const isField = api.isPropertyDeclaration(member) || api.isGetAccessorDeclaration(member);
    if (!isField || (api.getCombinedModifierFlags(member) & hidden) !== 0) return [];
    const symbol = checker.getSymbolAtLocation(member.name);
    return symbol === undefined || api.isPrivateIdentifier(member.name) ? [] : [symbol];
  });
  const offered = members.filter((symbol) => {
    const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(symbol, declaration));
    return wrappedType(type) !== undefined || extendsClass(type, 'Resource');
  });
  const at = { node: declaration, path: declaration.name?.text ?? 'default' };
  return Object.fromEntries(offered.map((symbol) => [symbol.name, reader.property(symbol, at)]));
}
