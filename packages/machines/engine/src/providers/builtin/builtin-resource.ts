import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type {
  CheckFailure,
  CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  DiffRequest,
  DiffResponse,
  ReadRequest,
  ReadResponse,
  UpdateRequest,
  UpdateResponse,
} from '@cairn/wire';
import type { EnginePorts } from '../../ports.js';

/** Services of the engine for the builtin package. */
export interface BuiltinWorld {
  readonly ports: Pick<EnginePorts, 'stackOutputs' | 'stackResources' | 'newId' | 'emit'>;
  /** A resource that was registered or read in this run. */
  readonly entry: (urn: Urn) => ResourceEntry | undefined;
}

/** One resource type of the builtin package. Deletes never do anything. */
export interface BuiltinResource {
  check(request: CheckRequest, world: BuiltinWorld): CheckResponse;
  diff(request: DiffRequest): DiffResponse;
  create(request: CreateRequest, world: BuiltinWorld): Promise<CreateResponse>;
  read(request: ReadRequest, world: BuiltinWorld): Promise<ReadResponse>;
  update(request: UpdateRequest): UpdateResponse;
}

/** Returns the failures of inputs of which exactly one is allowed and required. */
export function onlyInput(inputs: PropertyMap, only: string): readonly CheckFailure[] {
  const extra = Object.keys(inputs)
    .filter((key) => key !== only)
    .map((property) => ({ property, reason: `unknown property "${property}"` }));
  const missing = Object.hasOwn(inputs, only)
    ? []
    : [{ property: only, reason: `missing required property "${only}"` }];
  return [...missing, ...extra];
}

/** Makes a diff in which nothing or one property differs. */
export function oneDifference(differs: boolean, key: string, replaces: boolean): DiffResponse {
  return {
    changes: differs ? 'some' : 'none',
    replaceKeys: differs && replaces ? [key] : [],
    changedKeys: differs ? [key] : [],
    stableKeys: [],
    detailedDiff: undefined,
    deleteBeforeReplace: false,
  };
}
