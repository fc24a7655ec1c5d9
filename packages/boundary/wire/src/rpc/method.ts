import type { BinaryReader, BinaryWriter } from '@cairn/protobuf';

/** Encoding of one message type: the object that generated code exports under the message's name. */
interface MessageCodec<T> {
  encode(message: T, writer?: BinaryWriter): BinaryWriter;
  decode(input: BinaryReader | Uint8Array): T;
}

/** One method of a generated service definition. */
export interface RpcMethod<Request, Response> {
  readonly name: string;
  readonly requestType: MessageCodec<Request>;
  readonly responseType: MessageCodec<Response>;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
}

/** Generated service definition. */
export interface ServiceDefinition {
  readonly fullName: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a definition mixes message types
  readonly methods: Readonly<Record<string, RpcMethod<any, any>>>;
}

/** Message type of a method's request. */
export type RpcRequest<M> = M extends { requestType: MessageCodec<infer T> } ? T : never;

/** Message type of a method's answer. */
export type RpcResponse<M> = M extends { responseType: MessageCodec<infer T> } ? T : never;

/** Returns the path of a method, e.g. `/pulumirpc.Engine/Log`. */
export function methodPath(service: ServiceDefinition, method: { readonly name: string }): string {
  return `/${service.fullName}/${method.name}`;
}
