import type { TfType, TfValue } from '@cairn/tfplugin';
import { Dynamic, dynamicValue, isWhollyKnown, UNKNOWN_VALUE } from '@cairn/tfplugin';
import { InvalidAnswerError } from '@cairn/wire';
import { Malformed, readValue } from '../client/malformed.js';
import type { FunctionParameter, FunctionSignature } from '../client/provider-schema.js';
import type { Connection } from './connection.js';
import { schemaNamed } from './connection.js';

/** Thrown if a function of a provider refuses its arguments, or one of them. */
export class FunctionFailure extends Error {
  override readonly name = 'FunctionFailure';

  constructor(
    readonly functionName: string,
    readonly reason: string,
    /** Position of the refused argument, from 0. Undefined if it is not a single one. */
    readonly argument: number | undefined,
  ) {
    super(`${functionName}: ${reason}`);
  }
}

/**
 * Calls a function [TFC-35]. Arguments are values of the types of its parameters. A function that would get an
 * unsupported unknown is not called; its result is then unknown.
 */
export async function callProviderFunction(
  { calls, schema }: Connection,
  name: string,
  args: readonly TfValue[],
): Promise<TfValue> {
  const signature = schemaNamed(schema.functions, name, 'function', calls.name);
  const parameters = parametersFor(signature, name, args.length);
  for (const [at, { allowNull, name: parameter }] of parameters.entries()) {
    if (!allowNull && isNull(args[at] as TfValue)) {
      throw new FunctionFailure(name, `the argument ${parameter} must not be null`, at);
    }
  }
  const open = parameters.some(
    ({ allowUnknown }, at) => !allowUnknown && !isWhollyKnown(args[at] as TfValue),
  );
  if (open) return UNKNOWN_VALUE;
  const answer = await calls.call('callFunction', {
    name,
    arguments: parameters.map(({ type }, at) => dynamicValue(type, args[at] as TfValue)),
  });
  if (answer.error !== undefined) {
    throw new FunctionFailure(name, answer.error.text, answer.error.functionArgument);
  }
  return resultOf(calls.name, name, signature.returns, answer.result);
}

function resultOf(
  provider: string,
  name: string,
  type: TfType,
  message: Parameters<typeof readValue>[1],
): TfValue {
  const result = readValue(type, message);
  if (result instanceof Malformed) {
    throw new InvalidAnswerError(`provider ${provider}, function ${name}: ${result.reason}`);
  }
  return result;
}

/** Returns the parameter of each argument. */
function parametersFor(
  { parameters, variadic }: FunctionSignature,
  name: string,
  count: number,
): readonly FunctionParameter[] {
  const least = parameters.length;
  if (count < least || (count > least && variadic === undefined)) {
    const wanted = variadic === undefined ? `${least}` : `at least ${least}`;
    throw new FunctionFailure(name, `${wanted} arguments required, not ${count}`, undefined);
  }
  const rest = variadic === undefined ? [] : Array.from({ length: count - least }, () => variadic);
  return [...parameters, ...rest];
}

function isNull(value: TfValue): boolean {
  return value === null || (value instanceof Dynamic && value.value === null);
}
