import { equalValues, fromJson, impliedType, isRecord, record, toJson, TfUnknown } from '@cairn/tfplugin';
import type { Block, ProviderMethod, TfValue } from '@cairn/tfplugin';
import type { DefinedSchemas, ResourceDefinition } from './definition.js';
import { asApplied, asPlanned, withoutWriteOnly } from './made-values.js';
import type { CallAnswer, CallRequest } from './messages.js';
import type { ObjectStore } from './object-store.js';

/** Answers of a well-behaved provider, derived from the schemas alone. */
export type StandardAnswers = {
  readonly [M in ProviderMethod]?: (request: CallRequest<M>) => CallAnswer<M>;
};

/** Place of a provider's objects. With `kept`, an object that is not in the store is gone. */
interface Objects {
  readonly store: ObjectStore;
  readonly kept: boolean;
}

/** Returns the answers of a provider that follows every rule. Objects have their id in the attribute `id`. */
export function standardAnswers(schemas: DefinedSchemas, objects: () => Objects): StandardAnswers {
  const block = (type: string): Block => schemas.block('resources', type);
  const definition = (type: string): ResourceDefinition =>
    schemas.definition.resources?.[type] as ResourceDefinition;
  return {
    validateProviderConfig: () => ({}),
    configureProvider: () => ({}),
    validateResourceConfig: () => ({}),
    validateDataResourceConfig: () => ({}),
    validateEphemeralResourceConfig: () => ({}),
    stopProvider: () => ({}),
    upgradeResourceState: ({ typeName, rawState }) => ({
      upgradedState: upgraded(block(typeName), rawState),
    }),
    upgradeResourceIdentity: () => ({}),
    readResource: ({ typeName, currentState, private: bytes, currentIdentity }) => {
      const rest = { private: bytes, ...identityPart('newIdentity', currentIdentity) };
      const { store, kept } = objects();
      const id = idOf(currentState);
      if (id === undefined || !kept) return { newState: currentState, ...rest };
      const json = store.get(typeName, id);
      if (json === undefined) return { newState: null, ...rest };
      const found = fromJson(impliedType(block(typeName)), json);
      return {
        newState: found,
        ...rest,
        ...identityPart('newIdentity', identityOf(definition(typeName), found)),
      };
    },
    planResourceChange: (request) => planned(block(request.typeName), definition(request.typeName), request),
    applyResourceChange: (request) =>
      applied(block(request.typeName), definition(request.typeName), request, objects()),
    importResourceState: ({ typeName, id, identity }) => {
      const wanted = id === '' && isRecord(identity) ? String(identity['id']) : id;
      const names = Object.keys(impliedType(block(typeName)).attributes);
      const stub = record(
        names.map((name) => [name, name === 'id' ? wanted : emptyOf(block(typeName), name)]),
      );
      return { importedResources: [{ typeName, state: stub }] };
    },
    moveResourceState: ({ targetTypeName, sourceState, sourcePrivate }) => ({
      targetState: upgraded(block(targetTypeName), sourceState),
      targetPrivate: sourcePrivate,
    }),
    readDataSource: ({ typeName, config }) => {
      const read = schemas.definition.dataSources?.[typeName]?.read;
      const found = schemas.block('dataSources', typeName);
      return { state: read?.(config) ?? asApplied(found, asPlanned(found, config, [], config), typeName) };
    },
    openEphemeralResource: ({ typeName, config }) => {
      const found = schemas.block('ephemerals', typeName);
      const { store } = objects();
      const id = store.newId(typeName);
      store.write({ effect: 'open', type: typeName, id });
      const after = schemas.definition.ephemerals?.[typeName]?.renewAfterMs;
      const renewAt = after === undefined ? undefined : new Date(Date.now() + after);
      return { result: asApplied(found, asPlanned(found, config, [], config), id), private: id, renewAt };
    },
    renewEphemeralResource: ({ typeName, private: id = '' }) => {
      objects().store.write({ effect: 'renew', type: typeName, id });
      return { private: id };
    },
    closeEphemeralResource: ({ typeName, private: id = '' }) => {
      objects().store.write({ effect: 'close', type: typeName, id });
      return {};
    },
    callFunction: ({ name, arguments: args }) => {
      const call = schemas.definition.functions?.[name]?.call;
      if (call === undefined) return { error: { text: `the function ${name} does nothing` } };
      try {
        return { result: call(args) };
      } catch (error) {
        return { error: { text: (error as Error).message } };
      }
    },
  };
}

function planned(
  block: Block,
  { replaceOn = [], remade = [] }: ResourceDefinition,
  { priorState, proposedNewState, config, priorPrivate, priorIdentity }: CallRequest<'planResourceChange'>,
): CallAnswer<'planResourceChange'> {
  const rest = { plannedPrivate: priorPrivate, ...identityPart('plannedIdentity', priorIdentity) };
  if (proposedNewState === null) return { plannedState: null, ...rest };
  const type = impliedType(block);
  const clean = withoutWriteOnly(block, proposedNewState);
  if (priorState !== null && equalValues(type, priorState, clean))
    return { plannedState: priorState, ...rest };
  const plannedState = asPlanned(block, proposedNewState, priorState === null ? [] : remade, config);
  const differs = (name: string): boolean =>
    !equalValues(type.attributes[name] ?? 'dynamic', valueOf(priorState, name), valueOf(plannedState, name));
  const requiresReplace = priorState === null ? [] : replaceOn.filter(differs).map((name) => [name]);
  return { plannedState, requiresReplace, ...rest };
}

function applied(
  block: Block,
  definition: ResourceDefinition,
  request: CallRequest<'applyResourceChange'>,
  { store, kept }: Objects,
): CallAnswer<'applyResourceChange'> {
  const { typeName: type, priorState, plannedState, plannedPrivate } = request;
  if (plannedState === null) {
    const id = idOf(priorState) ?? '';
    store.write({ effect: 'delete', type, id });
    return { newState: null };
  }
  const known = idOf(priorState);
  const id = known ?? store.newId(type);
  if (kept && known !== undefined && store.get(type, known) === undefined)
    return {
      newState: null,
      diagnostics: [{ summary: `there is no ${type} ${known}` }],
      private: plannedPrivate,
    };
  const newState = withoutWriteOnly(block, asApplied(block, plannedState, id));
  const effect = known === undefined ? 'create' : 'update';
  store.write({ effect, type, id: idOf(newState) ?? id }, toJson(impliedType(block), newState));
  return {
    newState,
    private: plannedPrivate,
    ...identityPart('newIdentity', identityOf(definition, newState)),
  };
}

function upgraded(block: Block, json: string): TfValue {
  const type = impliedType(block);
  const stored = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const known = Object.keys(stored).filter((name) => name in type.attributes);
  if (known.length === Object.keys(stored).length) return fromJson(type, json);
  return fromJson(type, JSON.stringify(Object.fromEntries(known.map((name) => [name, stored[name]]))));
}

/** Returns an identity: attributes of its names, with values from the object. */
function identityOf({ identity }: ResourceDefinition, object: TfValue): TfValue {
  if (identity === undefined || !isRecord(object)) return null;
  return record(Object.keys(identity).map((name) => [name, object[name] ?? null]));
}

function identityPart<N extends string>(name: N, identity: TfValue): { [P in N]?: TfValue } {
  return (identity === null ? {} : { [name]: identity }) as { [P in N]?: TfValue };
}

function emptyOf(block: Block, name: string): TfValue {
  const nested = block.blocks.get(name);
  if (nested?.nesting === 'list' || nested?.nesting === 'set') return Object.freeze([]);
  if (nested?.nesting === 'map') return record([]);
  if (nested?.nesting !== 'group') return null;
  const names = Object.keys(impliedType(nested.block).attributes);
  return record(names.map((each) => [each, emptyOf(nested.block, each)]));
}

const valueOf = (object: TfValue, name: string): TfValue =>
  isRecord(object) ? (object[name] ?? null) : null;

/** Returns the id of an object, if it has one. */
function idOf(object: TfValue): string | undefined {
  const id = valueOf(object, 'id');
  return id === null || id instanceof TfUnknown ? undefined : String(id as string);
}
