import { pathOf, pclError } from '@cairn/pcl';
import type { Expression } from '@cairn/pcl';
import { stringLiteral, templateLiteral } from '../source/literal.js';
import { bracketed, memberText, objectText, operand, outputCode, plainCode } from './code.js';
import type { Code } from './code.js';
import { PATHS } from './declarations.js';
import type { ComponentDeclaration, ResourceDeclaration } from './declarations.js';
import type { ExpressionWriter, TranslatedComponent } from './file-writer.js';
import { ANY, NUMBER, STRING } from './value-type.js';
import type { TypeMembers, ValueType } from './value-type.js';

/** Constructor of a declaration, and the type of its result. */
interface Made {
  readonly type: ValueType;
  /** Returns the expression that makes one; `name` is code. */
  readonly one: (name: string) => string;
}

type Making = ResourceDeclaration | ComponentDeclaration;

/** Writes the constructor of a resource or a component: one, or with a range a list, an object or at most one. */
export function madeResource(
  declaration: Making,
  write: ExpressionWriter,
  component: (source: string, declaration: ComponentDeclaration) => TranslatedComponent,
): Code {
  const make = (): Made =>
    declaration.t === 'component'
      ? madeComponent(declaration, write, component)
      : madeCustom(declaration, write);
  const range = declaration.options.get('range');
  if (range !== undefined) return ranged(declaration, range, write, make);
  const { type, one } = make();
  return plainCode(one(nameText(declaration.logical, undefined, write)), type);
}

function madeCustom(declaration: ResourceDeclaration, write: ExpressionWriter): Made {
  const { token, at } = declaration;
  const found = builtin(token, write) ?? typed(token, write, at);
  const type: ValueType = { kind: 'resource', className: found.className, members: found.members };
  const options = optionsText(declaration, write);
  if (declaration.t === 'read') {
    const id = declaration.inputs.get('id');
    if (id === undefined) throw pclError('a resource that is read needs an id', at);
    const state = new Map([...declaration.inputs].filter(([name]) => name !== 'id'));
    const rest = found.hasState ? [inputsText(state, found.inputs, write), options] : [options];
    const given = [write.code(id, STRING).text, ...rest];
    return { type, one: (name) => called(`${found.className}.get`, [name], given) };
  }
  const given = [inputsText(declaration.inputs, found.inputs, write), options];
  return { type, one: (name) => called(`new ${found.className}`, [name], given) };
}

/** Class with its known inputs and members. Unknown types of inputs are any. */
interface KnownClass {
  readonly className: string;
  readonly inputs: ReadonlyMap<string, ValueType>;
  readonly members: TypeMembers;
  readonly hasState: boolean;
}

function typed(token: string, write: ExpressionWriter, at: Making['at']): KnownClass {
  const { package: model, path, ...found } = write.file.packages.resource(token, at);
  return { ...found, className: [write.file.packageName(model), ...path].reduce(memberText) };
}

/** Resources that are part of the SDK. */
const BUILTINS: Readonly<Record<string, readonly [name: string, ...outputs: string[]]>> = {
  'pulumi:index:Stash': ['Stash', 'input', 'output'],
  'pulumi:Stash': ['Stash', 'input', 'output'],
  'pulumi:pulumi:StackReference': ['StackReference', 'outputs'],
};

function builtin(token: string, write: ExpressionWriter): KnownClass | undefined {
  const [name, ...outputs] = (Object.hasOwn(BUILTINS, token) ? BUILTINS[token] : undefined) ?? [];
  if (name === undefined) return undefined;
  const known = new Set([...outputs, 'id', 'urn']);
  const members: TypeMembers = {
    output: (output) => (known.has(output) ? { name: output, type: ANY } : undefined),
    method: () => undefined,
  };
  return { className: write.file.sdk(name), inputs: new Map(), members, hasState: false };
}

function madeComponent(
  declaration: ComponentDeclaration,
  write: ExpressionWriter,
  component: (source: string, declaration: ComponentDeclaration) => TranslatedComponent,
): Made {
  const { source, token, inputs } = declaration;
  const options = optionsText(declaration, write);
  if (source === undefined) {
    const className = write.file.sdk('ComponentResource');
    const given = [inputsText(inputs, new Map(), write), options];
    const members: TypeMembers = {
      output: (name) => (name === 'urn' ? { name, type: STRING } : undefined),
      method: () => undefined,
    };
    return {
      type: { kind: 'resource', className, members },
      one: (name) => called(`new ${className}`, [stringLiteral(token), name], given),
    };
  }
  const { className, inputs: types, members } = component(source, declaration);
  const given = [inputsText(inputs, types, write), options];
  return {
    type: { kind: 'resource', className, members },
    one: (name) => called(`new ${className}`, [name], given),
  };
}

/** Writes a call without trailing arguments that are absent. */
function called(what: string, first: readonly string[], given: readonly (string | undefined)[]): string {
  const last = given.findLastIndex((text) => text !== undefined && text !== '{}');
  const all = [...first, ...given.slice(0, last + 1).map((text) => text ?? '{}')];
  return what + bracketed('(', all, ')');
}

function inputsText(
  inputs: ReadonlyMap<string, Expression>,
  types: ReadonlyMap<string, ValueType>,
  write: ExpressionWriter,
): string {
  return objectText([...inputs].map(([name, value]) => [name, write.code(value, types.get(name)).text]));
}

function optionsText({ options }: Making, write: ExpressionWriter): string | undefined {
  const members = [...options]
    .filter(([name]) => name !== 'range')
    .map(([name, value]): [string, string] => [
      name,
      PATHS.has(name) ? pathsText(value) : write.code(value).text,
    ]);
  if (write.file.insideComponent && !options.has('parent')) members.unshift(['parent', 'this']);
  return members.length === 0 ? undefined : objectText(members);
}

function pathsText(value: Expression): string {
  const paths = (value.t === 'list' ? value.items : [value]).map((item) => {
    const path = pathOf(item);
    if (path === undefined) throw pclError('this is not a path of a property', item.at);
    return stringLiteral(path);
  });
  return bracketed('[', paths, ']');
}

/** Returns the name of a resource: prefixed by its component's name, and followed by the key of its item. */
function nameText(logical: string, key: string | undefined, write: ExpressionWriter): string {
  const inside = write.file.insideComponent;
  if (!inside && key === undefined) return stringLiteral(logical);
  const suffix = key === undefined ? [] : ['-', { code: key }];
  return templateLiteral([...(inside ? [{ code: 'name' }, '-'] : []), logical, ...suffix]);
}

/**
 * Writes one for each item. The item is a name in the code written inside the range, so each kind of range writes it.
 */
function ranged(declaration: Making, range: Expression, write: ExpressionWriter, make: () => Made): Code {
  const { logical } = declaration;
  const from = write.code(range);
  const each = (item: {
    readonly key: Code;
    readonly value: Code;
  }): { readonly text: string; readonly type: ValueType } => {
    const names = new Map([
      ['range.key', item.key],
      ['range.value', item.value],
    ]);
    const { one, type } = write.within(names, make);
    return { text: one(nameText(logical, item.key.text, write)), type };
  };
  const itemOf = (type: ValueType): ValueType =>
    type.kind === 'list' || type.kind === 'map' ? type.item : ANY;
  return write.operation([from], ([text = '']) => {
    const [key, value] = [write.parameter('key'), write.parameter('value')];
    switch (from.type.kind) {
      case 'boolean': {
        const { one, type } = make();
        return plainCode(`${text} ? ${one(nameText(logical, undefined, write))} : undefined`, type, false);
      }
      case 'number': {
        const index = plainCode(key, NUMBER);
        const { text: body, type } = each({ key: index, value: index });
        return plainCode(`Array.from({ length: ${text} }, (_, ${key}) => ${body})`, {
          kind: 'list',
          item: type,
        });
      }
      case 'list': {
        const { text: body, type } = each({
          key: plainCode(key, NUMBER),
          value: plainCode(value, itemOf(from.type)),
        });
        return plainCode(`${text}.map((${value}, ${key}) => ${body})`, { kind: 'list', item: type });
      }
      default: {
        const { text: body, type } = each({
          key: plainCode(key, STRING),
          value: plainCode(value, itemOf(from.type)),
        });
        const entries = `${write.file.support('pairs')}(${text}).map(([${key}, ${value}]) => [${key}, ${body}])`;
        return plainCode(`Object.fromEntries(${entries})`, { kind: 'map', item: type });
      }
    }
  });
}

/** Writes outputs of components as values: of one, or of each of many. */
export function outputsMember(code: Code, names: readonly string[]): string {
  if (code.type.kind === 'resource') {
    const { members } = code.type;
    const texts = names.map((name): [string, string] => [
      name,
      memberText(operand(code), members.output(name)?.name ?? name),
    ]);
    return objectText(texts);
  }
  const item = code.type.kind === 'list' || code.type.kind === 'map' ? code.type.item : ANY;
  const each = outputsMember(plainCode('each', item), names);
  if (code.type.kind === 'map')
    return `Object.fromEntries(Object.entries(${code.text}).map(([key, each]) => [key, ${each}]))`;
  return `${operand(code)}.map((each) => (${each}))`;
}

/** Returns a variable for the result. An optional resource is assumed to exist where it is used. */
export function held(made: Code, variable: string, range: ValueType | undefined): Code {
  if (made.outputs === 'is') return outputCode(variable, made.type);
  const text = range?.kind === 'boolean' ? `${variable}!` : variable;
  return { text, type: made.type, outputs: made.outputs, atom: true };
}
