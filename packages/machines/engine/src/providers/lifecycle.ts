import { makeProviderReference, UNKNOWN_ID } from '@cairn/addresses';
import { fail, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { getProperty, isUnknown, withProperty } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { Capabilities, Provider, ResourceIdentity } from '@cairn/wire';
import { diffConfig, saysUnimplemented } from './diff-config.js';
import type { Instances } from './instances.js';
import { INTERNAL, withoutInternal } from './package-request.js';
import { answered, answeredFailures, answeredProperties } from './provider-answer.js';
import { refusing } from './refusing.js';

/** Capabilities of the provider of provider resources. Previews propose no names for them and omit nothing. */
export const LIFECYCLE_CAPABILITIES: Capabilities = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: false,
  supportsPreview: true,
  supportsAutonaming: false,
};

/**
 * Makes the provider of provider resources, which are ordinary resources [PROV-1]. Check starts a plugin and checks its
 * settings, create and update configure it, delete closes it. Outputs are the inputs without the part that only the
 * engine needs.
 */
export function providerLifecycle(
  instances: Instances,
  newId: () => string,
  warn: (diagnostic: Diagnostic) => void,
): Provider {
  return refusing('a provider resource', {
    async check(request) {
      const { urn, name, type, news } = request;
      const { plugin } = await instances.prepare(request);
      const sent = withoutInternal(news);
      const olds = request.olds && withoutInternal(request.olds);
      const answer = await plugin
        .checkConfig({ urn, name, type, olds, news: sent })
        .catch((error: unknown) => {
          if (saysUnimplemented(error, type)) return { inputs: sent, failures: [] };
          throw error;
        });
      const from = { entry: { urn, type }, call: 'checkConfig', preview: true };
      const failures = answeredFailures(from, answered(from, answer).failures);
      if (failures.length > 0) return { inputs: news, failures };
      const inputs = answeredProperties(from, answer.inputs, 'inputs');
      if (Object.hasOwn(inputs, INTERNAL)) warn(reservedKey(request));
      return { inputs: accepted(request, news, inputs), failures };
    },

    async diff(request) {
      const { urn, name, type, oldInputs, oldOutputs, news, ignoreChanges } = request;
      const plugin =
        instances.candidate(urn)?.plugin ?? (await instances.prepare({ ...request, olds: oldInputs })).plugin;
      return diffConfig(plugin, {
        urn,
        name,
        type,
        oldInputs: withoutInternal(oldInputs),
        oldOutputs: providerSettings(oldInputs, oldOutputs),
        news: withoutInternal(news),
        ignoreChanges,
      });
    },

    async create(request) {
      const id = request.preview ? UNKNOWN_ID : newId();
      await instances.start(request, id);
      return { id, outputs: withoutInternal(request.inputs), refreshBeforeUpdate: false };
    },

    async update(request) {
      await instances.start({ ...request, inputs: request.news }, request.id);
      return { outputs: withoutInternal(request.news), refreshBeforeUpdate: false };
    },

    async delete({ urn, id }) {
      await instances.drop(makeProviderReference(urn, id));
    },
  });
}

function reservedKey({ urn, name }: ResourceIdentity): Diagnostic {
  const summary = `the provider ${name} answered with the reserved key ${INTERNAL}; Cairn ignores it`;
  return warningDiagnostic('CAIRN-PROVIDER-ANSWER', summary, {
    urn,
    hint: 'Report it to the author of the provider.',
  });
}

/** Returns the settings as the plugin checked them, with the engine's own part and the version unchanged. */
function accepted(identity: ResourceIdentity, news: PropertyMap, checked: PropertyMap): PropertyMap {
  const internal = getProperty(news, INTERNAL);
  const bare = withoutInternal(checked);
  return keepVersion(identity, news, internal === undefined ? bare : withProperty(bare, INTERNAL, internal));
}

/** Restores the version. A plugin may drop it but not change it. */
function keepVersion({ urn, name }: ResourceIdentity, news: PropertyMap, checked: PropertyMap): PropertyMap {
  const asked = getProperty(news, 'version');
  if (asked === undefined) return checked;
  const answered = getProperty(checked, 'version');
  if (answered === undefined) return withProperty(checked, 'version', asked);
  if (answered === asked || isUnknown(asked)) return checked;
  const summary = `provider ${name} attempted to change version from ${shown(asked)} to ${shown(answered)}`;
  return fail('CAIRN-PROVIDER-ANSWER', summary, { urn, hint: 'Report it to the author of the provider.' });
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : 'something else';
}

/** Returns the outputs of a provider's entry. Entries of old states have inputs only. */
export function providerSettings(inputs: PropertyMap, outputs: PropertyMap): PropertyMap {
  return Object.keys(outputs).length === 0 ? withoutInternal(inputs) : withoutInternal(outputs);
}
