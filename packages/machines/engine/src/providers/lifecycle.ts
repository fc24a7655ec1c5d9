import { makeProviderReference, UNKNOWN_ID } from '@cairn/addresses';
import { fail, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { getProperty, isUnknown, withProperty } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type {
  CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  ResourceIdentity,
  UpdateRequest,
  UpdateResponse,
} from '@cairn/wire';
import { diffConfig, saysUnimplemented } from './diff-config.js';
import type { Instances } from './instances.js';
import { INTERNAL, withoutInternal } from './package-request.js';
import { answered, answeredFailures, answeredProperties } from './provider-answer.js';
import { RefusingProvider } from './refusing-provider.js';

/**
 * Provider resources as ordinary ones [PROV-1]: check starts a plugin and checks its settings, create and
 * update configure it, delete closes it. Outputs are the inputs without what only the engine needs.
 */
export class ProviderLifecycle extends RefusingProvider {
  protected readonly title = 'a provider resource';

  constructor(
    private readonly instances: Instances,
    private readonly newId: () => string,
    private readonly warn: (diagnostic: Diagnostic) => void,
  ) {
    super();
  }

  override async check(request: CheckRequest): Promise<CheckResponse> {
    const { urn, name, type, news } = request;
    const { plugin } = await this.instances.prepare(request);
    const sent = withoutInternal(news);
    const olds = request.olds && withoutInternal(request.olds);
    const answer = await plugin.checkConfig({ urn, name, type, olds, news: sent }).catch((error: unknown) => {
      if (saysUnimplemented(error, type)) return { inputs: sent, failures: [] };
      throw error;
    });
    const from = { entry: { urn, type }, call: 'checkConfig', preview: true };
    const failures = answeredFailures(from, answered(from, answer).failures);
    if (failures.length > 0) return { inputs: news, failures };
    const inputs = answeredProperties(from, answer.inputs, 'inputs');
    return { inputs: this.accepted(request, news, inputs), failures };
  }

  override async diff(request: DiffRequest): Promise<DiffResponse> {
    const { urn, name, type, oldInputs, oldOutputs, news, ignoreChanges } = request;
    const plugin =
      this.instances.candidate(urn)?.plugin ??
      (await this.instances.prepare({ ...request, olds: oldInputs })).plugin;
    return diffConfig(plugin, {
      urn,
      name,
      type,
      oldInputs: withoutInternal(oldInputs),
      oldOutputs: settingsOf(oldInputs, oldOutputs),
      news: withoutInternal(news),
      ignoreChanges,
    });
  }

  override async create(request: CreateRequest): Promise<CreateResponse> {
    const id = request.preview ? UNKNOWN_ID : this.newId();
    await this.instances.start(request, id);
    return { id, outputs: withoutInternal(request.inputs), refreshBeforeUpdate: false };
  }

  override async update(request: UpdateRequest): Promise<UpdateResponse> {
    await this.instances.start({ ...request, inputs: request.news }, request.id);
    return { outputs: withoutInternal(request.news), refreshBeforeUpdate: false };
  }

  override async delete({ urn, id }: DeleteRequest): Promise<void> {
    await this.instances.drop(makeProviderReference(urn, id));
  }

  /** What the plugin made of the settings, with the engine's own part and the version as they were. */
  private accepted(identity: ResourceIdentity, news: PropertyMap, checked: PropertyMap): PropertyMap {
    const { urn, name } = identity;
    if (Object.hasOwn(checked, INTERNAL)) {
      this.warn(
        warningDiagnostic(
          'CAIRN-PROVIDER-ANSWER',
          `the provider ${name} answered with the reserved key ${INTERNAL}; it is left out`,
          {
            urn,
            hint: 'Report it to the author of the provider.',
          },
        ),
      );
    }
    const internal = getProperty(news, INTERNAL);
    const bare = withoutInternal(checked);
    return keepVersion(
      identity,
      news,
      internal === undefined ? bare : withProperty(bare, INTERNAL, internal),
    );
  }
}

/** A plugin may drop its version, not change it. */
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

/** Outputs of a provider's entry; entries of old states have inputs only. */
export function settingsOf(inputs: PropertyMap, outputs: PropertyMap): PropertyMap {
  return Object.keys(outputs).length === 0 ? withoutInternal(inputs) : withoutInternal(outputs);
}
