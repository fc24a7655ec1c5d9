import type { Urn } from '@cairn/addresses';
import { containsUnknown, emptyMap, isEmptyMap, newMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { RegisterResourceRequest, RegisterResourceResponse } from '../contracts/monitor.js';
import { StatusError } from '../contracts/status.js';
import * as pb from '../generated/pulumi/resource.js';
import { CODED_OPTIONS, noRequestOptions } from '../options/fields.js';
import { decodeDependencies, encodeDependencies } from '../provider/dependencies.js';
import { decodeStruct, encodeStruct } from '../values/index.js';
import { decodeAlias, decodeNodeAlias, encodeAlias } from './alias.js';
import {
  answerOptions,
  decodeAccepts,
  decodeSelector,
  decodeSource,
  encodeSelector,
  encodeSource,
} from './request-parts.js';

type CodedOption = (typeof CODED_OPTIONS)[number];

/** Defaults shared by all registrations; messages are only read. */
const NOTHING_SAID = pb.RegisterResourceRequest.fromPartial({});

/** Encodes a registration for the wire. Output values are kept for components that a provider constructs [VAL-4]. */
export function encodeRegistration(request: RegisterResourceRequest): pb.RegisterResourceRequest {
  const { deleteBeforeReplace, inputs, accepts } = request;
  const wire: pb.RegisterResourceRequest = {
    ...NOTHING_SAID,
    type: request.type,
    name: request.name,
    parent: request.parent,
    custom: request.custom,
    remote: request.remote,
    object: encodeStruct(inputs, { keepOutputValues: request.remote }),
    ...encodeSelector(request.package),
    deleteBeforeReplace: deleteBeforeReplace ?? false,
    deleteBeforeReplaceDefined: deleteBeforeReplace !== undefined,
    aliases: request.aliases.map(encodeAlias),
    ...encodeSource(request),
    acceptSecrets: accepts.secrets,
    acceptResources: accepts.resources,
    supportsPartialValues: accepts.partialValues,
    supportsResultReporting: accepts.resultReporting,
    aliasSpecs: request.aliasSpecs,
    acceptsByteString: true,
  };
  const fields = wire as unknown as Record<string, unknown>;
  for (let at = 0; at < CODED_OPTIONS.length; at++) {
    const { option, field, encode } = CODED_OPTIONS[at] as CodedOption;
    fields[field] = encode(request[option]);
  }
  return wire;
}

/**
 * Template of decoded registrations. V8 copies it at once, because it has every field and is not frozen; else a
 * registration would take several times the memory.
 */
const BLANK: RegisterResourceRequest = {
  ...noRequestOptions,
  type: '',
  name: '',
  parent: '',
  custom: false,
  remote: false,
  inputs: emptyMap,
  sourcePosition: undefined,
  stackTrace: [],
  accepts: decodeAccepts(NOTHING_SAID),
  aliasSpecs: false,
};

/**
 * Decodes a registration from the wire. URNs in `aliasURNs` of older programs join the aliases. `fromNode`: a Node SDK
 * sent it; without `aliasSpecs`, its aliases without a parent have a different meaning. Throws StatusError for state
 * migrations [PRG-15].
 */
export function decodeRegistration(
  wire: pb.RegisterResourceRequest,
  fromNode = false,
): RegisterResourceRequest {
  if (wire.stateMigrations.length > 0)
    throw new StatusError(
      'FAILED_PRECONDITION',
      `cannot register ${wire.type} "${wire.name}": Cairn does not run state migrations. Leave the option stateMigrations out.`,
    );
  const aliasOf = fromNode && !wire.aliasSpecs ? decodeNodeAlias : decodeAlias;
  const definesOrder = wire.deleteBeforeReplaceDefined || wire.deleteBeforeReplace;
  const request: RegisterResourceRequest = {
    ...BLANK,
    type: wire.type,
    name: wire.name,
    parent: wire.parent,
    custom: wire.custom,
    remote: wire.remote,
    inputs: decodeStruct(wire.object, { keepOutputValues: true }),
    package: decodeSelector(wire),
    deleteBeforeReplace: definesOrder ? wire.deleteBeforeReplace : undefined,
    aliases: hasAliases(wire)
      ? [
          ...wire.aliases.flatMap((alias) => aliasOf(alias) ?? []),
          ...wire.aliasURNs.map((urn) => ({ kind: 'urn', urn }) as const),
        ]
      : BLANK.aliases,
    ...decodeSource(wire),
    accepts: decodeAccepts(wire),
    aliasSpecs: wire.aliasSpecs,
  };
  const options = request as unknown as Record<string, unknown>;
  for (let at = 0; at < CODED_OPTIONS.length; at++) {
    const { option, field, decode } = CODED_OPTIONS[at] as CodedOption;
    options[option] = decode(wire[field]);
  }
  return request;
}

function hasAliases({ aliases, aliasURNs }: pb.RegisterResourceRequest): boolean {
  return aliases.length > 0 || aliasURNs.length > 0;
}

const RESULTS = {
  success: pb.Result.SUCCESS,
  fail: pb.Result.FAIL,
  skip: pb.Result.SKIP,
} as const satisfies Record<RegisterResourceResponse['result'], pb.Result>;

const RESULT_NAMES = {
  [pb.Result.SUCCESS]: 'success',
  [pb.Result.FAIL]: 'fail',
  [pb.Result.SKIP]: 'skip',
} as const satisfies Record<pb.Result, RegisterResourceResponse['result']>;

/** Encodes the answer to a registration, reduced to the values its sender accepts [PRG-9]. */
export function encodeRegistered(
  response: RegisterResourceResponse,
  { accepts }: RegisterResourceRequest,
): pb.RegisterResourceResponse {
  if (response.result !== 'success' && !accepts.resultReporting) {
    throw new StatusError('INTERNAL', 'resource registration failed');
  }
  const outputs = accepts.partialValues ? response.outputs : knownProperties(response.outputs);
  return {
    urn: response.urn,
    id: response.id,
    object: encodeStruct(outputs, answerOptions(accepts)),
    stable: false,
    stables: [],
    propertyDependencies: encodeDependencies(response.propertyDependencies),
    result: RESULTS[response.result],
    unknown: response.unknown,
  };
}

/** Decodes the answer to a registration. */
export function decodeRegistered(wire: pb.RegisterResourceResponse): RegisterResourceResponse {
  const result = RESULT_NAMES[wire.result];
  if (result === undefined)
    throw new StatusError('INTERNAL', `unknown result of a registration: ${String(wire.result)}`);
  return {
    urn: wire.urn as Urn,
    id: wire.id,
    outputs: decodeStruct(wire.object),
    propertyDependencies: decodeDependencies<Urn>(wire.propertyDependencies),
    result,
    unknown: wire.unknown,
  };
}

/** Returns the map without the properties that are or contain an unknown value. */
function knownProperties(map: PropertyMap): PropertyMap {
  if (isEmptyMap(map)) return map;
  const known = newMap();
  for (const key of Object.keys(map)) {
    const value = map[key];
    if (value !== undefined && !containsUnknown(value)) known[key] = value;
  }
  return known;
}
