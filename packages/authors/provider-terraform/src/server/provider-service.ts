import { protocols, readDynamicValue, dynamicValue } from '@cairn/tfplugin';
import type { TfRecord, TfValue } from '@cairn/tfplugin';
import type {
  ApplyResourceChange_Response,
  ClientCapabilities,
  Deferred,
  DynamicValue,
  ImportResourceState_Response,
  MoveResourceState_Response,
  PlanResourceChange_Response,
  ReadDataSource_Response,
  ReadResource_Response,
  ResourceIdentityData,
  UpgradeResourceIdentity_Response,
  UpgradeResourceState_Response,
} from '@cairn/tfplugin/protocol6';
import { service } from '@cairn/wire/server';
import type { Service } from '@cairn/wire/server';
import type { DataSource, ManagedResource, StateResponse, TerraformProvider } from '../index.js';
import type { CallResponder } from './call-messages.js';
import { identityData, readIdentity } from './identity.js';
import { diagnosticMessages, pathMessage } from './messages.js';
import { functionMessages, identitySchemasAnswer, metadataAnswer, schemaAnswer } from './schema-answers.js';

const NONE = new Uint8Array();
const NOTHING = { diagnostics: [] };
const NO_DEFERRAL = { deferred: undefined };

/**
 * Returns the provider service of one protocol over a provider of Cairn. Methods that are missing here are answered
 * with UNIMPLEMENTED: ephemeral and list resources, actions, state stores, and configurations made from states.
 */
// [TFS-5]
export function terraformService(provider: TerraformProvider, calls: CallResponder): Service {
  return service(protocols[provider.protocol].service, {
    ...setupHandlers(provider, calls),
    ...resourceHandlers(provider, calls),
    ...otherHandlers(provider, calls),
  });
}

type Handlers = NonNullable<Parameters<typeof service<(typeof protocols)[6]['service']>>[1]>;

function setupHandlers(provider: TerraformProvider, calls: CallResponder) {
  const configOf = (config: DynamicValue | undefined): TfRecord =>
    readDynamicValue(provider.type, config) as TfRecord;
  return {
    getProviderSchema: async () => schemaAnswer(provider),
    getMetadata: async () => metadataAnswer(provider),
    getResourceIdentitySchemas: async () => identitySchemasAnswer(provider),
    validateProviderConfig: async ({ config }) => {
      const answer = await calls.answered('ValidateProviderConfig', '', NOTHING, async () => ({
        diagnostics: diagnosticMessages(await provider.validate(configOf(config))),
      }));
      // The answer of protocol 5 contains the configuration, which hosts then ignore.
      return { ...answer, preparedConfig: config };
    },
    configureProvider: ({ config }) =>
      calls.answered('ConfigureProvider', '', NOTHING, async () => ({
        diagnostics: diagnosticMessages(await provider.configure(configOf(config))),
      })),
    stopProvider: async () => {
      await provider.stop();
      return { Error: '' };
    },
  } satisfies Handlers;
}

function resourceHandlers(provider: TerraformProvider, calls: CallResponder) {
  const typed = (name: string): ManagedResource => {
    const found = provider.resources.get(name);
    if (found === undefined) throw new Error(`${provider.name} has no resource type ${name}`);
    return found;
  };
  return {
    validateResourceConfig: ({ typeName, config }) =>
      calls.answered('ValidateResourceConfig', typeName, NOTHING, async () => {
        const type = typed(typeName);
        return { diagnostics: diagnosticMessages(await type.validate(recordOf(type, config) as TfRecord)) };
      }),
    upgradeResourceState: ({ typeName, version, rawState }) =>
      calls.answered(
        'UpgradeResourceState',
        typeName,
        { ...NOTHING, upgradedState: undefined } as UpgradeResourceState_Response,
        async () => {
          const type = typed(typeName);
          const json = Buffer.from(rawState?.json ?? NONE).toString('utf8');
          if (json === '')
            throw new Error('the state is of a form that Terraform 0.11 wrote; upgrade it there');
          const { state, diagnostics } = type.upgrade(version, json);
          return {
            upgradedState: state === null ? undefined : valueOf(type, state),
            diagnostics: diagnosticMessages(diagnostics),
          };
        },
      ),
    readResource: (request) => {
      const { typeName, currentState, currentIdentity, clientCapabilities } = request;
      const nothing: ReadResource_Response = {
        ...NOTHING,
        ...deferral(provider, clientCapabilities),
        newState: currentState,
        private: request.private,
        newIdentity: currentIdentity,
      };
      return calls.answered('ReadResource', typeName, nothing, async () => {
        const type = typed(typeName);
        const state = recordOf(type, currentState);
        if (state === null) return nothing;
        return { ...nothing, ...stateAnswer(type, await type.read(state, request.private)) };
      });
    },
    planResourceChange: (request) => {
      const { typeName, priorState, config, priorPrivate, clientCapabilities } = request;
      const nothing: PlanResourceChange_Response = {
        ...NOTHING,
        ...deferral(provider, clientCapabilities),
        plannedState: undefined,
        requiresReplace: [],
        plannedPrivate: priorPrivate,
        legacyTypeSystem: false,
        plannedIdentity: undefined,
      };
      return calls.answered('PlanResourceChange', typeName, nothing, async () => {
        const type = typed(typeName);
        const prior = recordOf(type, priorState);
        const plan = await type.plan({ prior, config: recordOf(type, config), priorPrivate });
        return {
          ...nothing,
          plannedState: valueOf(type, plan.planned),
          requiresReplace: plan.requiresReplace.map(pathMessage),
          plannedPrivate: plan.plannedPrivate,
          diagnostics: diagnosticMessages(plan.diagnostics),
          plannedIdentity: identityData(plan.planned),
        };
      });
    },
    applyResourceChange: (request) => {
      const { typeName, priorState, plannedState, config, plannedPrivate } = request;
      const nothing: ApplyResourceChange_Response = {
        ...NOTHING,
        newState: priorState,
        private: plannedPrivate,
        legacyTypeSystem: false,
        newIdentity: undefined,
      };
      return calls.answered('ApplyResourceChange', typeName, nothing, async () => {
        const type = typed(typeName);
        const [prior, planned, given] = [priorState, plannedState, config].map((each) =>
          recordOf(type, each),
        ) as [TfRecord | null, TfRecord | null, TfRecord | null];
        const made = await type.apply({ prior, planned, config: given, plannedPrivate });
        return { ...nothing, ...stateAnswer(type, made) };
      });
    },
    importResourceState: ({ typeName, id, identity, clientCapabilities }) => {
      const nothing: ImportResourceState_Response = {
        ...NOTHING,
        ...deferral(provider, clientCapabilities),
        importedResources: [],
      };
      return calls.answered('ImportResourceState', typeName, nothing, async () => {
        const type = typed(typeName);
        const found = type.import(id === '' ? readIdentity(identity) : id);
        const { newState, newIdentity, diagnostics } = stateAnswer(type, found);
        const imported = { typeName, state: newState, private: found.private, identity: newIdentity };
        return { ...nothing, importedResources: [imported], diagnostics };
      });
    },
    moveResourceState: ({ targetTypeName, sourceTypeName }) => {
      const nothing: MoveResourceState_Response = {
        ...NOTHING,
        targetState: undefined,
        targetPrivate: NONE,
        targetIdentity: undefined,
      };
      return calls.answered('MoveResourceState', targetTypeName, nothing, async () => {
        throw new Error(
          `${targetTypeName} does not take over objects of another type, here ${sourceTypeName}`,
        );
      });
    },
    upgradeResourceIdentity: ({ typeName, rawIdentity }) =>
      calls.answered(
        'UpgradeResourceIdentity',
        typeName,
        { ...NOTHING, upgradedIdentity: undefined } as UpgradeResourceIdentity_Response,
        async () => {
          typed(typeName);
          const stored = JSON.parse(Buffer.from(rawIdentity?.json ?? NONE).toString('utf8')) as {
            id?: unknown;
          };
          return { ...NOTHING, upgradedIdentity: identityData({ id: String(stored.id ?? '') }) };
        },
      ),
  } satisfies Handlers;
}

function otherHandlers(provider: TerraformProvider, calls: CallResponder) {
  const typed = (name: string): DataSource => {
    const found = provider.dataSources.get(name);
    if (found === undefined) throw new Error(`${provider.name} has no data source ${name}`);
    return found;
  };
  return {
    validateDataResourceConfig: ({ typeName, config }) =>
      calls.answered('ValidateDataResourceConfig', typeName, NOTHING, async () => {
        const source = typed(typeName);
        return { diagnostics: diagnosticMessages(source.validate(recordOf(source, config) as TfRecord)) };
      }),
    readDataSource: ({ typeName, config, clientCapabilities }) => {
      const { deferred } = deferral(provider, clientCapabilities);
      const nothing: ReadDataSource_Response = { ...NOTHING, deferred, state: undefined };
      return calls.answered('ReadDataSource', typeName, nothing, async () => {
        const source = typed(typeName);
        if (deferred !== undefined) return nothing;
        const { state, diagnostics } = await source.read(recordOf(source, config) as TfRecord);
        return { ...nothing, state: valueOf(source, state), diagnostics: diagnosticMessages(diagnostics) };
      });
    },
    getFunctions: async () => ({ ...NOTHING, functions: functionMessages(provider) }),
    callFunction: async ({ name, arguments: given }) => {
      const found = provider.functions.get(name);
      if (found === undefined) return { result: undefined, error: { text: `there is no function ${name}` } };
      const args = found.parameters.map((type, at) => readDynamicValue(type, given[at]));
      const answer = await found.call(args);
      return answer.t === 'result'
        ? { result: dynamicValue(found.returns, answer.result), error: undefined }
        : { result: undefined, error: { text: answer.text, functionArgument: answer.argument } };
    },
  } satisfies Handlers;
}

type WithType = Pick<ManagedResource, 'served'>;

function recordOf({ served }: WithType, value: DynamicValue | undefined): TfRecord | null {
  return readDynamicValue(served.type, value) as TfRecord | null;
}

function valueOf({ served }: WithType, value: TfValue): DynamicValue {
  return dynamicValue(served.type, value);
}

function stateAnswer(type: ManagedResource, found: StateResponse) {
  return {
    newState: valueOf(type, found.state),
    private: found.private,
    diagnostics: diagnosticMessages(found.diagnostics),
    newIdentity: identityData(found.state) satisfies ResourceIdentityData | undefined,
  };
}

/** Tells a host to defer a change while settings are unknown, if it supports that. */
function deferral(
  provider: TerraformProvider,
  capabilities: ClientCapabilities | undefined,
): { readonly deferred: Deferred | undefined } {
  const settingsUnknown = 2;
  return provider.awaitsSettings && capabilities?.deferralAllowed === true
    ? { deferred: { reason: settingsUnknown } }
    : NO_DEFERRAL;
}
