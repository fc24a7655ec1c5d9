import { pclError } from '@cairn/pcl';
import type { Position } from '@cairn/pcl';
import type { FunctionModel, PackageModel, PropertyModel } from '../schema/model.js';
import { folderOf, tokenParts } from '../schema/token.js';
import { memberName } from '../source/member-name.js';
import { layoutOf } from '../typed-package/layout.js';
import type { Layout, PlacedFunction, PlacedMethod, PlacedResource } from '../typed-package/layout.js';
import { ANY, STRING, typeOfModel } from './value-type.js';
import type { TypeMembers, Method, ValueType } from './value-type.js';

/** Class of a typed package. */
interface FoundResource {
  readonly package: PackageModel;
  /** Exports from the package down to the class. */
  readonly path: readonly string[];
  readonly inputs: ReadonlyMap<string, ValueType>;
  readonly members: TypeMembers;
  /** True if an existing object can be found by more than its id. */
  readonly hasState: boolean;
}

/** Function of a typed package, in the form that returns outputs. */
interface FoundFunction {
  readonly package: PackageModel;
  readonly path: readonly string[];
  readonly inputs: ReadonlyMap<string, ValueType>;
  /** True if it accepts an object of arguments. */
  readonly takesArguments: boolean;
  /** Names of inputs that are positional arguments. Empty for one object of arguments. */
  readonly positional: readonly string[];
  readonly result: ValueType;
}

interface Laid {
  readonly model: PackageModel;
  readonly layout: Layout;
}

const PROVIDERS = 'pulumi:providers:';

/** Resolves tokens of a program in the typed packages that are generated from these models. */
export class Packages {
  readonly #laid: ReadonlyMap<string, Laid>;

  constructor(models: ReadonlyMap<string, PackageModel>) {
    this.#laid = new Map([...models].map(([name, model]) => [name, { model, layout: layoutOf(model) }]));
  }

  resource(token: string, at: Position): FoundResource {
    const isProvider = token.startsWith(PROVIDERS);
    const laid = this.#package(isProvider ? token.slice(PROVIDERS.length) : packageOf(token), at);
    const placed = isProvider
      ? laid.layout.resources.get(laid.model.provider.token)
      : find(laid, token, (module) => module.resources);
    if (placed === undefined) throw pclError(`${laid.model.name} has no resource ${token}`, at);
    return {
      package: laid.model,
      path: [...folderPath(laid.layout, placed.folder), placed.name],
      inputs: typesOf(placed.model.inputs, laid.model),
      members: membersOf(placed, laid.model),
      hasState: placed.state !== '',
    };
  }

  function(token: string, at: Position): FoundFunction {
    const laid = this.#package(packageOf(token), at);
    const placed = find(laid, token, (module) => module.functions);
    if (placed === undefined) throw pclError(`${laid.model.name} has no function ${token}`, at);
    const { model } = placed;
    return {
      package: laid.model,
      path: [...folderPath(laid.layout, placed.folder), placed.outputName],
      inputs: typesOf(model.inputs, laid.model),
      takesArguments: model.inputs.length > 0,
      positional: model.positional,
      result: resultType(model, laid.model),
    };
  }

  #package(name: string, at: Position): Laid {
    const found = this.#laid.get(name);
    if (found === undefined) throw pclError(`there is no package ${name}`, at);
    return found;
  }
}

/** Returns the package in a token. */
export function packageOf(token: string): string {
  return token.split(':')[0] ?? '';
}

/**
 * Finds a member by its exact token, otherwise by its folder and name, because programs write the folder as the module.
 */
function find<T extends PlacedResource | PlacedFunction>(
  { model, layout }: Laid,
  token: string,
  inModule: (module: Layout['modules'][number]) => readonly T[],
): T | undefined {
  const all = layout.modules.flatMap(inModule);
  const parts = tokenParts(token);
  const exact = all.find((each) => each.model.token === token);
  if (exact !== undefined || parts === undefined) return exact;
  const folder =
    model.folders.get(parts.module) ??
    folderOf(parts.module, { format: (module) => module, named: new Map() });
  return all.find((each) => each.folder === folder && tokenParts(each.model.token)?.name === parts.name);
}

/** Returns the export names of a folder's modules, from the package down. */
function folderPath(layout: Layout, folder: string): readonly string[] {
  const names: string[] = [];
  let at = '';
  for (const part of folder.split('/').filter((each) => each !== '')) {
    const module = layout.modules.find((each) => each.folder === at);
    names.push([...(module?.children ?? [])].find(([, child]) => child === part)?.[0] ?? part);
    at = at === '' ? part : `${at}/${part}`;
  }
  return names;
}

function typesOf(properties: readonly PropertyModel[], model: PackageModel): ReadonlyMap<string, ValueType> {
  return new Map(properties.map(({ name, type }) => [name, typeOfModel(type, model)]));
}

function membersOf(placed: PlacedResource, model: PackageModel): TypeMembers {
  const { outputs, isComponent } = placed.model;
  const types = typesOf(outputs, model);
  const methods = new Map(placed.methods.map((method) => [method.model.token, method]));
  return {
    output: (name) => {
      if (name === 'urn' || (name === 'id' && !isComponent)) return { name, type: STRING };
      const type = types.get(name);
      return type === undefined ? undefined : { name: memberName(name), type };
    },
    method: (name) => {
      const found = placed.model.methods.find((method) => method.name === name);
      const method = found === undefined ? undefined : methods.get(found.function.token);
      return method === undefined ? undefined : methodOf(method, model);
    },
  };
}

function methodOf({ name, model: method }: PlacedMethod, model: PackageModel): Method {
  const { result } = method;
  const properties = result.kind === 'object' ? result.properties : [];
  const [single] = properties.length === 1 && model.liftsSingleResults ? properties : [];
  return {
    name,
    inputs: typesOf(method.inputs, model),
    plain: result.kind !== 'none' && result.plain,
    only: single?.name,
    type: single === undefined ? resultType(method, model) : typeOfModel(single.type, model),
  };
}

function resultType({ result }: FunctionModel, model: PackageModel): ValueType {
  if (result.kind === 'none') return ANY;
  if (result.kind === 'value') return typeOfModel(result.type, model);
  const properties = typesOf(result.properties, model);
  return { kind: 'object', properties: () => properties };
}
