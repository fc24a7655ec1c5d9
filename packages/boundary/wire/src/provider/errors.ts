import { isCairnError, messageOf } from '@cairn/diagnostics';
import {
  INVALID_ANSWER,
  InitFailedError,
  InvalidInputsError,
  InvalidAnswerError,
  MissingConfigError,
  ProviderError,
  isInitFailed,
  isInputProperties,
  isMissingConfig,
  isProviderError,
} from '../contracts/provider-errors.js';
import { StatusError, isStatusError } from '../contracts/status.js';
import type { StatusDetail } from '../contracts/status.js';
import { ErrorCause, InputPropertiesError as WireInputProperties } from '../generated/pulumi/errors.js';
import { ConfigureErrorMissingKeys, ErrorResourceInitFailed } from '../generated/pulumi/provider.js';
import { decodeStruct, encodeStruct } from '../values/index.js';

/** Full names of the messages with details of a provider's error [PROV-16]. */
const DETAIL = {
  initFailed: 'pulumirpc.ErrorResourceInitFailed',
  missingKeys: 'pulumirpc.ConfigureErrorMissingKeys',
  inputProperties: 'pulumirpc.InputPropertiesError',
  cause: 'pulumirpc.ErrorCause',
} as const;

/**
 * Converts the error of a failed call. Errors of the call become a {@link ProviderError} of the right kind. An
 * unreadable answer leaves the object in doubt (INTERNAL). A {@link ProviderError} or CairnError is returned unchanged.
 */
export function providerErrorOf(thrown: unknown): Error {
  if (isProviderError(thrown) || isCairnError(thrown)) return thrown;
  if (!isStatusError(thrown)) {
    return new InvalidAnswerError(messageOf(thrown), { cause: thrown });
  }
  const message = withCause(thrown);
  for (const { type, value } of thrown.details) {
    if (type === DETAIL.initFailed) return initFailed(value, message);
    if (type === DETAIL.missingKeys) {
      return new MissingConfigError(ConfigureErrorMissingKeys.decode(value).missingKeys, message);
    }
    if (type === DETAIL.inputProperties) {
      const errors = WireInputProperties.decode(value).errors;
      return new InvalidInputsError(
        errors.map(({ propertyPath, reason }) => ({ path: propertyPath, reason })),
        message,
      );
    }
  }
  if (thrown.status === 'INTERNAL' && message.startsWith(INVALID_ANSWER)) {
    return new InvalidAnswerError(message.slice(INVALID_ANSWER.length), { cause: thrown });
  }
  return new ProviderError(thrown.status, message, { cause: thrown });
}

function initFailed(bytes: Uint8Array, message: string): InitFailedError {
  const { id, properties, inputs, reasons, refreshBeforeUpdate } = ErrorResourceInitFailed.decode(bytes);
  return new InitFailedError(
    id,
    decodeStruct(properties ?? new Uint8Array()),
    inputs === undefined ? undefined : decodeStruct(inputs),
    reasons,
    refreshBeforeUpdate,
    message,
  );
}

function withCause(error: StatusError): string {
  const cause = error.details.find(({ type }) => type === DETAIL.cause);
  if (cause === undefined) return error.message;
  const { message } = ErrorCause.decode(cause.value);
  return message === '' || error.message.includes(message) ? error.message : `${error.message}: ${message}`;
}

/** Converts the error of a served provider to its status. Errors of another kind are returned unchanged. */
export function statusErrorOf(thrown: unknown): unknown {
  if (!isProviderError(thrown)) return thrown;
  return new StatusError(thrown.code, thrown.message, { cause: thrown }, detailsOf(thrown));
}

function detailsOf(error: ProviderError): readonly StatusDetail[] {
  if (isInitFailed(error)) {
    const { id, reasons, refreshBeforeUpdate } = error;
    const brief = {
      id,
      reasons: [...reasons],
      refreshBeforeUpdate,
      properties: undefined,
      inputs: undefined,
    };
    const whole = {
      ...brief,
      properties: encodeStruct(error.outputs),
      inputs: error.inputs === undefined ? undefined : encodeStruct(error.inputs),
    };
    const encode = (detail: ErrorResourceInitFailed) => ErrorResourceInitFailed.encode(detail).finish();
    return [{ type: DETAIL.initFailed, value: encode(whole), brief: encode(brief) }];
  }
  if (isMissingConfig(error)) {
    const value = ConfigureErrorMissingKeys.encode({ missingKeys: [...error.missing] }).finish();
    return [{ type: DETAIL.missingKeys, value }];
  }
  if (isInputProperties(error)) {
    const errors = error.errors.map(({ path, reason }) => ({ propertyPath: path, reason }));
    return [{ type: DETAIL.inputProperties, value: WireInputProperties.encode({ errors }).finish() }];
  }
  return [];
}
