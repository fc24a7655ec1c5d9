import path from 'node:path';
import type tsModule from 'typescript';
import type ts from 'typescript';
import type { ShapeSpec } from '../schema/property.js';
import { ComponentTypeError } from './described.js';
import type { DescribedComponent, DescribedComponents } from './described.js';
import { TypeReader } from './read-type.js';
import { extendsClass, symbolName, tokenOf, wrapped } from './type-kinds.js';

/**
 * Reads the component classes that a module exports: the type of the second argument of their constructor, and their
 * public properties that are outputs or resources. Throws {@link ComponentTypeError} with all types that no schema has.
 */
export function inferComponents(api: typeof tsModule, file: string): DescribedComponents {
  const compiler = api.createProgram([file], optionsFor(api, file));
  const checker = compiler.getTypeChecker();
  const source = compiler.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new ComponentTypeError([`${file}: exports nothing`]);
  const classes = checker.getExportsOfModule(module).flatMap((exported) => {
    const isAlias = (exported.flags & api.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
    const declaration = symbol.declarations?.find(api.isClassDeclaration);
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    if (declaration === undefined || !extendsClass(type, 'ComponentResource')) return [];
    return [{ name: exported.name, symbol, declaration, token: tokenOf(type, api) }];
  });
  const tokens = classes.flatMap(({ token }) => (token === undefined ? [] : [token]));
  const reader = new TypeReader(api, checker, new Set(tokens));
  const found: Record<string, DescribedComponent> = {};
  for (const { name, symbol, declaration } of classes) {
    found[name] = {
      description: reader.description(symbol),
      inputs: inputsOf(reader, checker, symbol, declaration),
      outputs: outputsOf(api, reader, checker, declaration),
    };
  }
  if (reader.problems.length > 0) throw new ComponentTypeError(reader.problems);
  return found;
}

/** The options of the module's own project, without what they would write. */
function optionsFor(api: typeof tsModule, file: string): ts.CompilerOptions {
  const found = api.findConfigFile(path.dirname(file), (name) => api.sys.fileExists(name));
  const read = found === undefined ? undefined : api.readConfigFile(found, (name) => api.sys.readFile(name));
  const own =
    found === undefined || read === undefined
      ? { target: api.ScriptTarget.ES2022, module: api.ModuleKind.NodeNext, strict: true }
      : api.parseJsonConfigFileContent(
          read.config,
          { ...api.sys, readDirectory: () => [] },
          path.dirname(found),
        ).options;
  // Without it, nothing tells what may be left out.
  return { ...own, strictNullChecks: true, noEmit: true, skipLibCheck: true, types: own.types ?? [] };
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
  reader.refuse(at, 'its constructor takes options where its arguments are to be: (name, args, options)');
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
    return wrapped(type) !== undefined || extendsClass(type, 'Resource');
  });
  const at = { node: declaration, path: declaration.name?.text ?? 'default' };
  return Object.fromEntries(offered.map((symbol) => [symbol.name, reader.property(symbol, at)]));
}
