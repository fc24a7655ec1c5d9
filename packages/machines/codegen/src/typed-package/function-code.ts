import type { FunctionModel, PropertyModel } from '../schema/model.js';
import { docComment } from '../source/doc-comment.js';
import { literalCode } from '../source/plain-code.js';
import { propertyKey, stringLiteral } from '../source/literal.js';
import type { PlacedFunction } from './layout.js';
import { NameScope, identifier } from './names.js';
import { inputShape } from './shape-code.js';
import { TypeWriter } from './type-writer.js';
import type { TypeContext } from './type-writer.js';

/** Returns both forms of a function, as a file that is loaded at the first call. */
export function functionCode(placed: PlacedFunction, withDefaults: ReadonlySet<string>): string {
  const { model, name, outputName } = placed;
  const { deprecated } = model;
  const shape = {
    ...inputShape(model.inputs, withDefaults),
    deprecated: deprecated === '' ? undefined : deprecated,
  };
  const names = parameters(model);
  const given = [...names.values(), 'options'].join(', ');
  const pairs = [...names].map(([input, local]) => `${propertyKey(input)}: ${local}`);
  const passed =
    model.positional.length > 0 ? `{ ${pairs.join(', ')} }` : names.size === 0 ? 'undefined' : 'args';
  const single = model.result.kind === 'value' ? ', true' : '';
  const form = (own: string, ask: string) =>
    `  ${own}: (${given}) => pkg.${ask}(TOKEN, SHAPE, ${passed}, options${single}),\n`;
  return (
    `const TOKEN = ${stringLiteral(model.token)};\n` +
    `const SHAPE = ${literalCode(shape)};\n\n` +
    `module.exports = (pkg) => ({\n${form(name, 'ask')}${form(outputName, 'askOutput')}});\n`
  );
}

/** Returns parameters by input; with one object of arguments, `args` alone. */
function parameters({ positional, inputs }: FunctionModel): ReadonlyMap<string, string> {
  if (positional.length === 0) return new Map(inputs.length === 0 ? [] : [['', 'args']]);
  const scope = new NameScope(['options', 'pkg', 'TOKEN', 'SHAPE']);
  return new Map(positional.map((input) => [input, scope.claim(identifier(input))]));
}

/** Returns the declarations of a function. */
export function functionTypes(placed: PlacedFunction, context: TypeContext): string {
  const { model, name, outputName, args, outputArgs, result } = placed;
  const declared = [name, outputName, args, outputArgs, result].filter((each) => each !== '');
  const writer = new TypeWriter(context, placed.folder, declared);
  const inputs = model.inputs.map((input) => ({
    ...input,
    required: input.required && input.constant === undefined,
  }));
  const comment = docComment({ description: model.description, deprecated: model.deprecated });
  const gives = resultType(model, result, writer);
  const options = writer.sdk('InvokeOptions');
  const plain = givenTypes(model, inputs, args, 'plain', writer);
  const lifted = givenTypes(model, inputs, outputArgs, 'inputs', writer);
  const parts = [
    `${comment}export declare function ${name}(${plain}options?: ${options}): Promise<${gives}>;\n`,
    `${comment}export declare function ${outputName}(${lifted}options?: ${options}): ${writer.sdk('Output')}<${gives}>;\n`,
    args === '' ? '' : writer.interface(args, inputs, 'plain', `Arguments of {@link ${name}}.`),
    args === '' ? '' : writer.interface(outputArgs, inputs, 'inputs', `Arguments of {@link ${outputName}}.`),
    model.result.kind === 'object'
      ? writer.interface(result, model.result.properties, 'outputs', `Result of {@link ${name}}.`)
      : '',
  ];
  return [writer.imports(), ...parts].filter((part) => part !== '').join('\n');
}

function givenTypes(
  model: FunctionModel,
  inputs: readonly PropertyModel[],
  args: string,
  form: 'plain' | 'inputs',
  writer: TypeWriter,
): string {
  if (model.positional.length > 0) {
    const byName = new Map(inputs.map((input) => [input.name, input]));
    return [...parameters(model)]
      .map(([name, local]) => parameter(byName.get(name), local, form, writer))
      .join('');
  }
  if (args === '') return '';
  const needed = inputs.some(({ required, standard }) => required && standard === undefined);
  return `args${needed ? '' : '?'}: ${args}, `;
}

/** Returns a parameter. Any may be `undefined`; those behind it remain. */
function parameter(
  input: PropertyModel | undefined,
  local: string,
  form: 'plain' | 'inputs',
  writer: TypeWriter,
): string {
  if (input === undefined) return '';
  const type = writer.property(input, form);
  return `${local}: ${type}${input.required ? '' : ' | undefined'}, `;
}

function resultType({ result }: FunctionModel, name: string, writer: TypeWriter): string {
  if (result.kind === 'none') return 'void';
  return result.kind === 'object' ? name : writer.type(result.type, 'outputs');
}
