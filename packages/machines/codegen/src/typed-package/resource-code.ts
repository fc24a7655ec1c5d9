import type { FunctionModel, PropertyModel } from '../schema/model.js';
import { docComment } from '../source/doc-comment.js';
import { literalCode } from '../source/plain-code.js';
import { propertyKey, stringLiteral } from '../source/literal.js';
import { memberName } from '../source/member-name.js';
import type { PlacedMethod, PlacedResource } from './layout.js';
import { inputShape, listOrNothing } from './shape-code.js';
import type { ShapeLiteral } from './shape-code.js';
import { TypeWriter, doc } from './type-writer.js';
import type { TypeContext } from './type-writer.js';

const isProvider = ({ model }: PlacedResource): boolean => model.token.startsWith('pulumi:providers:');

/** Returns the class of a resource, as a file that is loaded when the class is used. */
export function resourceCode(
  placed: PlacedResource,
  withDefaults: ReadonlySet<string>,
  lifts: boolean,
): string {
  const { model, name } = placed;
  const base = isProvider(placed)
    ? 'ProviderResource'
    : model.isComponent
      ? 'ComponentResource'
      : 'CustomResource';
  const first = isProvider(placed) ? stringLiteral(model.token.slice('pulumi:providers:'.length)) : 'TYPE';
  const remote = model.isComponent ? ', true' : '';
  const lines = [
    `const TYPE = ${stringLiteral(model.token)};`,
    `const SHAPE = ${literalCode(shapeOf(placed, withDefaults))};`,
    '',
    'module.exports = (pkg) => ({',
    `  ${name}: class ${name} extends pkg.${base} {`,
    '    constructor(name, args, options) {',
    '      const inputs = pkg.inputs(TYPE, name, SHAPE, args, options, new.target);',
    `      super(${first}, name, inputs, pkg.options(SHAPE, options)${remote});`,
    '    }',
    ...(hasGet(placed) ? getCode(placed) : []),
    ...model.outputs.flatMap((output) => [
      '',
      `    get ${propertyKey(memberName(output.name))}() {`,
      `      return this.outputOf(${stringLiteral(output.name)});`,
      '    }',
    ]),
    ...placed.methods.flatMap((method) => methodCode(method, withDefaults, lifts)),
    '  },',
    '});',
  ];
  return `${lines.join('\n')}\n`;
}

function hasGet(placed: PlacedResource): boolean {
  return !placed.model.isComponent && !isProvider(placed);
}

function getCode({ state }: PlacedResource): readonly string[] {
  const [given, passed] = state === '' ? ['', 'undefined'] : ['state, ', 'state'];
  return [
    '',
    `    static get(name, id, ${given}options) {`,
    `      return new this(name, ${passed}, { ...options, id });`,
    '    }',
  ];
}

function shapeOf(placed: PlacedResource, withDefaults: ReadonlySet<string>): ShapeLiteral {
  const { inputs, outputs, aliases, deprecated } = placed.model;
  const names = (list: readonly PropertyModel[]) => listOrNothing(list.map(({ name }) => name));
  return {
    ...inputShape(inputs, withDefaults),
    secretOutputs: names(outputs.filter(({ secret }) => secret)),
    replaceOnChanges: names(outputs.filter(({ replaceOnChange }) => replaceOnChange)),
    aliases: listOrNothing(aliases),
    deprecated: deprecated === '' ? undefined : deprecated,
    json: isProvider(placed) ? names(inputs.filter(({ type }) => type.kind !== 'string')) : undefined,
  };
}

function methodCode(
  method: PlacedMethod,
  withDefaults: ReadonlySet<string>,
  lifts: boolean,
): readonly string[] {
  const { name, model } = method;
  const shape = literalCode(inputShape(model.inputs, withDefaults));
  const args = method.args === '' ? 'undefined' : 'args';
  const kind = isPlain(model) ? 'callPlain' : 'call';
  const single = isSingle(model, lifts) ? ', true' : '';
  return [
    '',
    `    ${propertyKey(name)}(${method.args === '' ? '' : 'args'}) {`,
    `      return pkg.${kind}(${stringLiteral(model.token)}, ${shape}, this, ${args}${single});`,
    '    }',
  ];
}

/** Tells if the result is the only property of the answer. */
function isSingle({ result }: FunctionModel, lifts: boolean): boolean {
  if (result.kind === 'value') return true;
  return lifts && result.kind === 'object' && result.properties.length === 1;
}

function isPlain({ result }: FunctionModel): boolean {
  return result.kind !== 'none' && result.plain;
}

/** Returns the declarations of a resource. */
export function resourceTypes(placed: PlacedResource, context: TypeContext, lifts: boolean): string {
  const { model, name, args, state, methods } = placed;
  const declared = [name, args, state, ...methods.flatMap((method) => [method.args, method.result])];
  const writer = new TypeWriter(
    context,
    placed.folder,
    declared.filter((each) => each !== ''),
  );
  const base = isProvider(placed)
    ? 'ProviderResource'
    : model.isComponent
      ? 'ComponentResource'
      : 'CustomResource';
  const options = isProvider(placed) ? 'ResourceOptions' : `${base}Options`;
  const inputs = model.inputs.map((input) => ({
    ...input,
    required: input.required && input.constant === undefined,
  }));
  const needed = inputs.some(({ required, standard }) => required && standard === undefined);
  const out = (type: string) => `${writer.sdk('Output')}<${type}>`;
  const outputs = model.outputs.map((output) => {
    const type = writer.property(output, 'outputs') + (output.required ? '' : ' | undefined');
    return `${doc(output, 'outputs')}  readonly ${propertyKey(memberName(output.name))}: ${out(type)};\n`;
  });
  const body = [
    `  constructor(name: string, args${needed ? '' : '?'}: ${args}, options?: ${writer.sdk(options)});\n`,
    hasGet(placed) ? getTypes(placed, writer, options) : '',
    ...outputs,
    ...methods.map((method) => methodTypes(method, writer, lifts)),
  ].join('');
  const interfaces = [
    writer.interface(args, inputs, 'inputs', `Inputs of a {@link ${name}}.`),
    state === ''
      ? ''
      : writer.interface(state, model.state ?? [], 'inputs', `What finds a {@link ${name}}, besides its id.`),
    ...methods.map((method) => methodInterfaces(method, writer, lifts)),
  ];
  const head = docComment({ description: model.description, deprecated: model.deprecated });
  const text = `${head}export declare class ${name} extends ${writer.sdk(base)} {\n${body}}\n`;
  return [writer.imports(), text, ...interfaces].filter((part) => part !== '').join('\n');
}

function getTypes({ name, state }: PlacedResource, writer: TypeWriter, options: string): string {
  const given = state === '' ? '' : `state?: ${state}, `;
  return (
    `  /** The existing object with this id: it is read, never changed. */\n` +
    `  static get(name: string, id: ${writer.sdk('Input')}<string>, ${given}options?: ${writer.sdk(options)}): ${name};\n`
  );
}

function methodTypes(method: PlacedMethod, writer: TypeWriter, lifts: boolean): string {
  const { model, name, args } = method;
  const needed = model.inputs.some(({ required }) => required);
  const given = args === '' ? '' : `args${needed ? '' : '?'}: ${args}`;
  const wrapper = isPlain(model) ? 'Promise' : writer.sdk('Output');
  const comment = docComment({ description: model.description, deprecated: model.deprecated }, '  ');
  return `${comment}  ${propertyKey(name)}(${given}): ${wrapper}<${methodResult(method, writer, lifts)}>;\n`;
}

function methodResult({ model, result }: PlacedMethod, writer: TypeWriter, lifts: boolean): string {
  if (model.result.kind === 'none') return 'void';
  if (model.result.kind === 'value') return writer.type(model.result.type, 'outputs');
  const only = model.result.properties[0];
  return lifts && model.result.properties.length === 1 && only !== undefined
    ? writer.property(only, 'outputs') + (only.required ? '' : ' | undefined')
    : result;
}

function methodInterfaces(method: PlacedMethod, writer: TypeWriter, lifts: boolean): string {
  const { model, args, result } = method;
  const own = model.result.kind === 'object' && !isSingle(model, lifts);
  return [
    args === '' ? '' : writer.interface(args, model.inputs, 'inputs'),
    model.result.kind === 'object' && own ? writer.interface(result, model.result.properties, 'outputs') : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}
