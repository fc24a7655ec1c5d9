import type { PropertyMap } from '@cairn/values';
import type {
  CallbackOptions,
  ErrorHookRequest,
  ErrorHookResponse,
  ResourceHookRequest,
  ResourceHookResponse,
  TransformInvokeRequest,
  TransformInvokeResponse,
  TransformRequest,
  TransformResponse,
} from '../contracts/callbacks.js';
import { StatusError } from '../contracts/status.js';
import * as pb from '../generated/pulumi/resource.js';
import { decodeStruct, encodeStruct } from '../values/index.js';
import {
  decodeHookOptions,
  decodeInvokeOptions,
  decodeOptions,
  encodeHookOptions,
  encodeInvokeOptions,
  encodeOptions,
} from './options.js';

/** Encodes and decodes one kind of message. With `byteStrings`, the reader accepts texts that are not UTF-8. */
interface MessageFormat<T> {
  encode(message: T, byteStrings: boolean): Uint8Array;
  decode(bytes: Uint8Array): T;
}

/** Kind of callback, with its request and its response. */
export interface CallbackFormat<Request, Response> {
  /** Name of the answer in errors. */
  readonly answer: string;
  readonly request: MessageFormat<Request>;
  readonly response: MessageFormat<Response>;
}

/** Fields that the requests of both kinds of hooks have. */
type Hooked = Omit<ErrorHookRequest, 'failedOperation' | 'errors'>;

function encodeHooked(request: Hooked, byteStrings: boolean) {
  const { urn, id, name, type } = request;
  return {
    ...{ urn, id, name, type },
    newInputs: optionalBytes(request.newInputs, byteStrings),
    oldInputs: optionalBytes(request.oldInputs, byteStrings),
    oldOutputs: optionalBytes(request.oldOutputs, byteStrings),
    oldOptions: encodeHookOptions(request.oldOptions, byteStrings),
    newOptions: encodeHookOptions(request.newOptions, byteStrings),
  };
}

function decodeHooked(wire: pb.ResourceHookRequest | pb.ErrorHookRequest): Hooked {
  const { urn, id, name, type } = wire;
  return {
    ...{ urn, id, name, type },
    newInputs: optionalMap(wire.newInputs),
    oldInputs: optionalMap(wire.oldInputs),
    oldOutputs: optionalMap(wire.oldOutputs),
    oldOptions: decodeHookOptions(wire.oldOptions),
    newOptions: decodeHookOptions(wire.newOptions),
  };
}

const resourceHook: CallbackFormat<ResourceHookRequest, ResourceHookResponse> = {
  answer: 'hook response',
  request: {
    encode: (request, byteStrings) =>
      pb.ResourceHookRequest.encode(
        pb.ResourceHookRequest.fromPartial({
          ...encodeHooked(request, byteStrings),
          newOutputs: optionalBytes(request.newOutputs, byteStrings),
        }),
      ).finish(),
    decode: (bytes) => {
      const wire = pb.ResourceHookRequest.decode(bytes);
      return { ...decodeHooked(wire), newOutputs: optionalMap(wire.newOutputs) };
    },
  },
  response: {
    encode: (response) => pb.ResourceHookResponse.encode(response).finish(),
    decode: (bytes) => ({ error: pb.ResourceHookResponse.decode(bytes).error }),
  },
};

const OPERATIONS: ReadonlySet<string> = new Set(['create', 'update', 'delete']);

const errorHook: CallbackFormat<ErrorHookRequest, ErrorHookResponse> = {
  answer: 'error hook response',
  request: {
    encode: (request, byteStrings) =>
      pb.ErrorHookRequest.encode(
        pb.ErrorHookRequest.fromPartial({
          ...encodeHooked(request, byteStrings),
          failedOperation: request.failedOperation,
          errors: [...request.errors],
        }),
      ).finish(),
    decode: (bytes) => {
      const wire = pb.ErrorHookRequest.decode(bytes);
      const { failedOperation, errors } = wire;
      if (!OPERATIONS.has(failedOperation))
        throw new StatusError('INVALID_ARGUMENT', `unknown failed operation "${failedOperation}"`);
      return {
        ...decodeHooked(wire),
        failedOperation: failedOperation as ErrorHookRequest['failedOperation'],
        errors,
      };
    },
  },
  response: {
    encode: (response) => pb.ErrorHookResponse.encode(response).finish(),
    decode: (bytes) => {
      const { error, retry } = pb.ErrorHookResponse.decode(bytes);
      return { error, retry };
    },
  },
};

const transform: CallbackFormat<TransformRequest, TransformResponse> = {
  answer: 'transform response',
  request: {
    encode: ({ type, name, custom, parent, properties, options }, byteStrings) =>
      pb.TransformRequest.encode({
        type,
        name,
        custom,
        parent,
        properties: bytesOf(properties, byteStrings),
        options: encodeOptions(options, byteStrings),
      }).finish(),
    decode: (bytes) => {
      const { type, name, custom, parent, properties, options } = pb.TransformRequest.decode(bytes);
      return { type, name, custom, parent, properties: mapOf(properties), options: optionsOf(options) };
    },
  },
  response: {
    encode: ({ properties, options }, byteStrings) =>
      pb.TransformResponse.encode({
        properties: optionalBytes(properties, byteStrings),
        options: options && encodeOptions(options, byteStrings),
      }).finish(),
    decode: (bytes) => {
      const { properties, options } = pb.TransformResponse.decode(bytes);
      return { properties: optionalMap(properties), options: options && decodeOptions(options) };
    },
  },
};

const transformInvoke: CallbackFormat<TransformInvokeRequest, TransformInvokeResponse> = {
  answer: 'transform response',
  request: {
    encode: ({ token, args, options }, byteStrings) =>
      pb.TransformInvokeRequest.encode({
        token,
        args: bytesOf(args, byteStrings),
        options: encodeInvokeOptions(options),
      }).finish(),
    decode: (bytes) => {
      const { token, args, options } = pb.TransformInvokeRequest.decode(bytes);
      return {
        token,
        args: mapOf(args),
        options: decodeInvokeOptions(options ?? pb.TransformInvokeOptions.fromPartial({})),
      };
    },
  },
  response: {
    encode: ({ args, options }, byteStrings) =>
      pb.TransformInvokeResponse.encode({
        args: optionalBytes(args, byteStrings),
        options: options && encodeInvokeOptions(options),
      }).finish(),
    decode: (bytes) => {
      const { args, options } = pb.TransformInvokeResponse.decode(bytes);
      return { args: optionalMap(args), options: options && decodeInvokeOptions(options) };
    },
  },
};

/** Messages of each kind of callback. */
export const CALLBACK_FORMATS = { resourceHook, errorHook, transform, transformInvoke } as const;

function optionsOf(wire: pb.TransformResourceOptions | undefined): CallbackOptions {
  return decodeOptions(wire ?? pb.TransformResourceOptions.fromPartial({}));
}

function bytesOf(map: PropertyMap, byteStrings: boolean): Uint8Array {
  return encodeStruct(map, { keepOutputValues: true, keepByteStrings: byteStrings });
}

function optionalBytes(map: PropertyMap | undefined, byteStrings: boolean): Uint8Array | undefined {
  return map === undefined ? undefined : bytesOf(map, byteStrings);
}

function mapOf(bytes: Uint8Array | undefined): PropertyMap {
  return decodeStruct(bytes, { keepOutputValues: true });
}

function optionalMap(bytes: Uint8Array | undefined): PropertyMap | undefined {
  return bytes === undefined ? undefined : mapOf(bytes);
}
