import type { FunctionModel, MethodModel, ResultModel } from './model.js';
import type { Node } from './node.js';
import { readDocumentation, readProperties } from './read-property.js';
import { readType } from './read-type.js';
import type { Definitions } from './read-type.js';

/** Reads a function, or the function of a method, without the input for the object it is called on. */
export function readFunction(token: string, node: Node, definitions: Definitions): FunctionModel {
  const inputs = node.at('inputs');
  const rules = { required: inputs.at('required'), plain: inputs.at('plain') };
  return {
    token,
    inputs: readProperties(inputs.at('properties'), rules, definitions).filter(
      ({ name }) => name !== '__self__',
    ),
    positional: node.at('multiArgumentInputs').texts(),
    result: readResult(node, definitions),
    ...readDocumentation(node),
  };
}

function readResult(node: Node, definitions: Definitions): ResultModel {
  const outputs = node.at('outputs');
  const plain = outputs.at('plain').flag();
  if (!outputs.present || outputs.value === null) return { kind: 'none' };
  const isObject = outputs.at('properties').present || isBareObject(outputs);
  if (!isObject) return { kind: 'value', type: readType(outputs, definitions), plain };
  const rules = { required: outputs.at('required') };
  return { kind: 'object', properties: readProperties(outputs.at('properties'), rules, definitions), plain };
}

/** Recognises an object without a description of its content: it has no content. */
function isBareObject(node: Node): boolean {
  const type = node.at('type');
  const saysMore = ['additionalProperties', '$ref', 'oneOf'].some((key) => node.at(key).present);
  return (!type.present || type.value === 'object') && !saysMore;
}

/** Reads methods by name; a name without a function is an error. */
export function readMethods(
  node: Node,
  functions: ReadonlyMap<string, FunctionModel>,
): readonly MethodModel[] {
  return node.members().flatMap(([name, token]) => {
    const found = functions.get(token.text());
    if (found === undefined)
      token.error(
        `the method "${name}" names a function that does not exist`,
        'Add the function or remove the method.',
      );
    return found === undefined ? [] : [{ name, function: found }];
  });
}
