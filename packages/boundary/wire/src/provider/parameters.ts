import type { ParameterizeRequest } from '../contracts/provider.js';
import { StatusError } from '../contracts/status.js';
import type { ParameterizeRequest as WireParameters } from '../generated/pulumi/provider.js';

/** Encodes the parameters that turn a plugin into another package. */
export function encodeParameters({ parameters }: ParameterizeRequest): WireParameters {
  if (parameters.kind === 'args')
    return { parameters: { $case: 'args', value: { args: [...parameters.args] } } };
  const { name, version, value } = parameters;
  return { parameters: { $case: 'value', value: { name, version, value } } };
}

/** Decodes the parameters that turn a plugin into another package. Refuses an empty request. */
export function decodeParameters({ parameters }: WireParameters): ParameterizeRequest {
  switch (parameters?.$case) {
    case 'args':
      return { parameters: { kind: 'args', args: parameters.value.args } };
    case 'value':
      return { parameters: { kind: 'value', ...parameters.value } };
    default:
      throw new StatusError('INVALID_ARGUMENT', 'neither arguments nor a value to parameterize with');
  }
}
