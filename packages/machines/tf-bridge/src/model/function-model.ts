import type { FunctionParameter, FunctionSignature } from '../client/provider-schema.js';
import { formOfType } from './make-shape.js';
import { camelCase, distinct } from './property-names.js';
import type { Form } from './shape.js';

/** A function of a provider as a function of the package. */
export interface ProviderFunctionModel {
  readonly name: string;
  readonly token: string;
  readonly signature: FunctionSignature;
  /** Parameters in their order. A variadic one is last, and its property is a list of arguments. */
  readonly parameters: readonly ParameterPart[];
  readonly result: Form;
}

/** A parameter with its property. */
interface ParameterPart extends FunctionParameter {
  readonly property: string;
  readonly form: Form;
  readonly isVariadic: boolean;
}

/** Returns the names of a function's parameters, and the forms of its values. They are created on first access. */
export function functionModel(
  name: string,
  token: string,
  signature: () => FunctionSignature,
): ProviderFunctionModel {
  let parameters: readonly ParameterPart[] | undefined;
  let result: Form | undefined;
  return Object.freeze({
    name,
    token,
    get signature() {
      return signature();
    },
    get parameters() {
      return (parameters ??= parameterParts(signature()));
    },
    get result() {
      return (result ??= formOfType(signature().returns));
    },
  });
}

function parameterParts({ parameters, variadic }: FunctionSignature): readonly ParameterPart[] {
  const all = variadic === undefined ? parameters : [...parameters, variadic];
  const keys = all.map((each, at) => (each.name === '' ? `arg${at + 1}` : each.name));
  const wanted = keys.map((attribute) => ({ attribute, names: [camelCase(attribute)] }));
  const names = distinct(wanted, new Set());
  return Object.freeze(
    all.map((each, at) => {
      const property = names.get(keys[at] as string) as string;
      return Object.freeze({ ...each, property, form: formOfType(each.type), isVariadic: each === variadic });
    }),
  );
}
