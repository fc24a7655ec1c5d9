import type { ParameterizeRequest } from '../contracts/provider.js';
import { StatusError } from '../contracts/status.js';
import type { ParameterizeRequest as WireParameters } from '../generated/pulumi/provider.js';

/** What turns a plugin into another package, for the wire. */
export function encodeParameters({ parameters }: ParameterizeRequest): WireParameters {
  if (parameters.kind === 'args')
    return { parameters: { $case: 'args', value: { args: [...parameters.args] } } };
  const { name, version, value } = parameters;
  return { parameters: { $case: 'value', value: { name, version, value } } };
}

/** What turns a plugin into another package, from the wire. Refuses a request that says nothing. */
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
