import { UNKNOWN, getProperty, isMap, isSecret as isSecretValue, isUnknown } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { gather } from '../output/gather.js';
import { makeOutput } from '../output/output.js';
import type { Input, Output } from '../output/brand.js';
import type { Resolution } from '../output/resolution.js';
import { STATE } from '../resource/state.js';
import type { CustomResourceOptions } from '../resource/options.js';
import { RunError } from '../resource/resource-error.js';
import { CustomResource } from '../resource/resource.js';
import { deserialize } from '../values/deserialize.js';

/** Stack that a reference refers to. */
export interface StackReferenceArgs {
  /**
   * Name of the stack: `stack`, `project/stack` or `organization/project/stack`. Defaults to the reference's own name.
   */
  readonly name?: Input<string> | undefined;
}

/** The outputs of another stack. */
// [PROV-9]
export class StackReference extends CustomResource {
  readonly #target: Input<string>;

  constructor(name: string, args: StackReferenceArgs = {}, options: CustomResourceOptions = {}) {
    const target = args.name ?? name;
    super('pulumi:pulumi:StackReference', name, { name: target }, { ...options, id: target });
    this.#target = target;
  }

  /** All outputs of the stack. Secret as a whole if one of them is. */
  get outputs(): Output<Record<string, unknown>> {
    return this.outputOf('outputs');
  }

  /** Returns one output of the stack. Undefined if it has none of that name. */
  getOutput<T = unknown>(name: Input<string>): Output<T> {
    return makeOutput(this.#pick(name, () => undefined));
  }

  /** Returns one output of the stack. Fails if it has none of that name. */
  requireOutput<T = unknown>(name: Input<string>): Output<T> {
    return makeOutput(
      this.#pick(name, async (wanted) => {
        throw new RunError(`stack "${String((await gather(this.#target)).value)}" has no output "${wanted}"`);
      }),
    );
  }

  /** Returns the value of an output, for programs that need it at once. Fails for a secret one. */
  async getOutputValue(name: string): Promise<unknown> {
    const { value, secret } = await this.#pick(name, () => undefined);
    if (secret) throw new RunError(`output "${name}" is secret; use getOutput, which keeps it secret`);
    return value;
  }

  async #pick(name: Input<string>, missing: (name: string) => unknown): Promise<Resolution> {
    const wanted = String((await gather(name)).value);
    const registered = await this[STATE].registered();
    const dependencies = new Set([this]);
    const outputs = outputsOf(registered.outputs);
    if (
      outputs === undefined ||
      isUnknown(getProperty(outputs.map, wanted)) ||
      (registered.missingAreUnknown && !Object.hasOwn(outputs.map, wanted))
    ) {
      return { value: UNKNOWN, secret: false, dependencies };
    }
    const raw = getProperty(outputs.map, wanted);
    if (raw === undefined) return { value: await missing(wanted), secret: outputs.secret, dependencies };
    const { value, secret } = deserialize(raw);
    return {
      value,
      secret: secret || outputs.secret || isNamedSecret(registered.outputs, wanted),
      dependencies,
    };
  }
}

/** Returns `outputs` of the answer. Undefined if they are unknown. */
function outputsOf(answer: PropertyMap): { readonly map: PropertyMap; readonly secret: boolean } | undefined {
  const raw: PropertyValue | undefined = getProperty(answer, 'outputs');
  const secret = isSecretValue(raw);
  const map = secret ? raw.value : raw;
  return isMap(map) ? { map, secret } : undefined;
}

function isNamedSecret(answer: PropertyMap, name: string): boolean {
  const names = getProperty(answer, 'secretOutputNames');
  return Array.isArray(names) && names.includes(name);
}
