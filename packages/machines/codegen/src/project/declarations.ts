import { namesIn, parsePclBody, parseExpression, pclError } from '@cairn/pcl';
import type { AttributeNode, BlockNode, Body, Expression, Position } from '@cairn/pcl';
import { ANY, declaredType } from './value-type.js';
import type { ValueType } from './value-type.js';

interface Named {
  /** Name in the program. */
  readonly name: string;
  /** Name outside of the program: in URNs, configuration and outputs. */
  readonly logical: string;
  readonly at: Position;
}

export interface ConfigVariable extends Named {
  readonly t: 'config';
  readonly type: ValueType;
  readonly standard: Expression | undefined;
  readonly secret: boolean;
  readonly description: string;
}

interface LocalDeclaration extends Named {
  readonly t: 'local';
  readonly value: Expression;
}

export interface ResourceDeclaration extends Named {
  readonly t: 'resource' | 'read';
  readonly token: string;
  readonly inputs: ReadonlyMap<string, Expression>;
  readonly options: ReadonlyMap<string, Expression>;
}

export interface ComponentDeclaration extends Named {
  readonly t: 'component';
  /** Folder of its program. Undefined if it has none; `token` then is its type. */
  readonly source: string | undefined;
  readonly token: string;
  readonly inputs: ReadonlyMap<string, Expression>;
  readonly options: ReadonlyMap<string, Expression>;
}

export interface HookDeclaration extends Named {
  readonly t: 'hook';
  readonly kind: 'resource' | 'error';
  readonly command: Expression;
  readonly options: ReadonlyMap<string, Expression>;
}

interface OutputDeclaration extends Named {
  readonly t: 'output';
  readonly value: Expression;
}

/** Declaration of a program under a name. */
export type Declaration =
  ConfigVariable | LocalDeclaration | ResourceDeclaration | ComponentDeclaration | HookDeclaration;

/** Package that a program describes, besides naming it in tokens. */
export interface PackageDeclaration {
  readonly name: string;
  readonly version: string;
  readonly downloadUrl: string;
  /** Plugin that becomes the package when it receives `value`. */
  readonly base: { readonly name: string; readonly version: string; readonly value: Uint8Array } | undefined;
}

/** Declarations of a program in the order of its files. */
export interface ProgramDeclarations {
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly outputs: readonly OutputDeclaration[];
  readonly packages: readonly PackageDeclaration[];
  /** Required range of engine versions. */
  readonly requiredVersion: Expression | undefined;
}

/** Reads the files of one folder. Throws a CairnError with the position. */
export function readProgram(files: readonly string[]): ProgramDeclarations {
  const declarations = new Map<string, Declaration>();
  const outputs: OutputDeclaration[] = [];
  const packages: PackageDeclaration[] = [];
  let requiredVersion: Expression | undefined;
  const declare = (declaration: Declaration): void => {
    const { name, at } = declaration;
    if (declarations.has(name)) throw pclError(`"${name}" is declared twice`, at);
    declarations.set(name, declaration);
  };
  for (const text of files) {
    const body = parsePclBody(text);
    for (const block of body.blocks) {
      const read = Object.hasOwn(BLOCKS, block.type) ? BLOCKS[block.type] : undefined;
      if (read !== undefined) declare(read(block));
      else if (block.type === 'output') outputs.push(output(block));
      else if (block.type === 'package') packages.push(packageDeclaration(block));
      else if (block.type === 'pulumi')
        requiredVersion = block.body.attributes.get('requiredVersionRange')?.value ?? requiredVersion;
      else throw pclError(`unsupported block '${block.type}'`, block.at);
    }
    for (const { name, value, at } of body.attributes.values())
      declare({ t: 'local', name, logical: name, at, value });
  }
  return { declarations, outputs, packages, requiredVersion };
}

const BLOCKS: Readonly<Record<string, (block: BlockNode) => Declaration>> = {
  config: (block) => {
    const { attributes } = block.body;
    const declared = block.labels[1];
    return {
      ...named(block, 0),
      t: 'config',
      type: declared === undefined ? ANY : declaredType(parseExpression(declared)),
      standard: attributes.get('default')?.value,
      secret: literal(attributes.get('secret')) === true,
      description: String(literal(attributes.get('description')) ?? ''),
    };
  },
  resource: (block) => ({ ...resource(block), t: 'resource' }),
  read: (block) => ({ ...resource(block), t: 'read' }),
  component: (block) => {
    const { inputs, options, ...name } = withInputs(block);
    const token = inputs.get('token');
    const source = block.labels[1];
    if (source === undefined && token === undefined)
      throw pclError('a component needs the folder of its program, or a token', block.at);
    return {
      ...name,
      t: 'component',
      source,
      token: source === undefined ? String(token?.t === 'literal' ? token.value : '') : '',
      inputs: source === undefined ? without(inputs, 'token') : inputs,
      options,
    };
  },
  hook: (block) => {
    const [kind] = block.labels;
    const attributes = expressions(block.body);
    const command = attributes.get('command');
    if (command === undefined || (kind !== 'resource' && kind !== 'error'))
      throw pclError('a hook must be of kind resource or error and have a command', block.at);
    return { ...named(block, 1), t: 'hook', kind, command, options: without(attributes, 'command') };
  },
};

function output(block: BlockNode): OutputDeclaration {
  const value = block.body.attributes.get('value')?.value;
  if (value === undefined) throw pclError('an output needs a value', block.at);
  return { ...named(block, 0), t: 'output', value };
}

function resource(block: BlockNode) {
  const token = block.labels[1];
  if (token === undefined) throw pclError('a resource needs a type', block.at);
  return { ...withInputs(block), token };
}

function withInputs(block: BlockNode) {
  const option = block.body.blocks.find(({ type }) => type === 'options');
  const unknown = block.body.blocks.find((each) => each !== option);
  if (unknown !== undefined) throw pclError(`unsupported block '${unknown.type}'`, unknown.at);
  return {
    ...named(block, 0),
    inputs: without(expressions(block.body), LOGICAL),
    options: option === undefined ? new Map<string, Expression>() : expressions(option.body),
  };
}

/** Attribute with the name outside of the program. */
const LOGICAL = '__logicalName';

function named(block: BlockNode, label: number): Named {
  const name = block.labels[label];
  if (name === undefined) throw pclError(`a block '${block.type}' needs a name`, block.at);
  return { name, logical: String(literal(block.body.attributes.get(LOGICAL)) ?? name), at: block.at };
}

function literal(attribute: AttributeNode | undefined): string | number | boolean | null | undefined {
  return attribute?.value.t === 'literal' ? attribute.value.value : undefined;
}

function expressions({ attributes }: Body): ReadonlyMap<string, Expression> {
  return new Map([...attributes].map(([name, { value }]) => [name, value]));
}

function without(map: ReadonlyMap<string, Expression>, key: string): ReadonlyMap<string, Expression> {
  return new Map([...map].filter(([name]) => name !== key));
}

function packageDeclaration({ labels, body }: BlockNode): PackageDeclaration {
  const text = (of: Body, name: string) => String(literal(of.attributes.get(name)) ?? '');
  const parameter = body.blocks.find(({ type }) => type === 'parameterization');
  const baseName = text(body, 'baseProviderName');
  return {
    name: parameter === undefined ? (labels[0] ?? baseName) : text(parameter.body, 'name'),
    version: text(parameter?.body ?? body, parameter === undefined ? 'baseProviderVersion' : 'version'),
    downloadUrl: text(body, 'baseProviderDownloadUrl'),
    base:
      parameter === undefined
        ? undefined
        : {
            name: baseName,
            version: text(body, 'baseProviderVersion'),
            value: Buffer.from(text(parameter.body, 'value'), 'base64'),
          },
  };
}

/** Returns expressions of a declaration, without those that are property paths. */
export function expressionsIn(declaration: Declaration): readonly Expression[] {
  switch (declaration.t) {
    case 'config':
      return declaration.standard === undefined ? [] : [declaration.standard];
    case 'local':
      return [declaration.value];
    case 'hook':
      return [declaration.command, ...declaration.options.values()];
    case 'resource':
    case 'read':
    case 'component': {
      const options = [...declaration.options].filter(([name]) => !PATHS.has(name));
      return [...declaration.inputs.values(), ...options.map(([, value]) => value)];
    }
  }
}

/** Options that name properties rather than values. */
export const PATHS: ReadonlySet<string> = new Set([
  ...['ignoreChanges', 'hideDiffs', 'replaceOnChanges', 'additionalSecretOutputs'],
]);

/** Returns the names that expressions use. */
export function namesOf(all: readonly Expression[]): readonly string[] {
  return all.flatMap((each) => namesIn(each).map(({ name }) => name));
}
