import { nearest } from '@cairn/diagnostics';
import type { TfValue } from '@cairn/tfplugin';
import { isArray, isMap, newMap, secret } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { InvokeRequest, InvokeResponse } from '@cairn/wire';
import { EdgeError, toProperties, toTerraform, valueToProperty, valueToTerraform } from '../values/index.js';
import { FunctionFailure } from '../lifecycle/index.js';
import type { EphemeralResource, TerraformClient } from '../lifecycle/index.js';
import type { ProviderFunctionModel, ObjectModel, ProviderModel } from '../model/index.js';
import { asking, edgeFailures, failuresOf } from './errors.js';
import type { Messages } from './messages.js';

/** Data sources, functions and ephemeral resources as functions of the package [TFB-10]. */
export class Questions {
  readonly #open: Promise<EphemeralResource>[] = [];
  readonly #client: TerraformClient;
  readonly #model: ProviderModel;
  readonly #messages: Messages;

  constructor(client: TerraformClient, model: ProviderModel, messages: Messages) {
    this.#client = client;
    this.#model = model;
    this.#messages = messages;
  }

  async invoke({ token, args }: InvokeRequest): Promise<InvokeResponse> {
    const found = this.#model.find(token);
    if (found === undefined || found.kind === 'resource') {
      const { dataSources, functions, ephemeralResources } = this.#model;
      const there = [dataSources, functions, ephemeralResources].flatMap((each) => [...each.values()]);
      const close = nearest(
        token,
        there.map((each) => each.token),
      );
      const why = close === undefined ? '' : `; did you mean ${close}?`;
      throw new ProviderError(
        'INVALID_ARGUMENT',
        `the package ${this.#model.name} has no function ${token}${why}`,
      );
    }
    try {
      if (found.kind === 'function') return await asking(() => this.#callFunction(found.function, args));
      const { object, kind } = found;
      return await asking(
        () => (kind === 'dataSource' ? this.#readData(object, args) : this.#openResource(object, args)),
        object.shape,
      );
    } catch (error) {
      if (error instanceof Refused) return { result: newMap(), failures: error.failures };
      throw error;
    }
  }

  /** Closes the open ephemeral resources. A failure there is a warning. */
  async close(): Promise<void> {
    for (const opening of this.#open.splice(0).reverse()) {
      try {
        const resource = await opening;
        this.#messages.warn(undefined, undefined, await resource.close());
      } catch (error) {
        const summary = error instanceof Error ? error.message : String(error);
        this.#messages.warn(undefined, undefined, [{ severity: 'warning', summary, detail: '' }]);
      }
    }
  }

  async #readData(object: ObjectModel, args: PropertyMap): Promise<InvokeResponse> {
    const { value, secrets } = given(object, args);
    const said = await this.#client.validateDataSource(object.type, value);
    this.#refuse(object, said);
    const about = { type: object.type, address: object.token, masks: secrets };
    const read = await this.#client.readDataSource(about, value);
    this.#messages.warn(undefined, object.shape, read.warnings);
    return { result: toProperties(object.shape, read.value, { secrets }), failures: [] };
  }

  /** Opens an ephemeral resource until the end of the operation. Every value in it is secret. */
  async #openResource(object: ObjectModel, args: PropertyMap): Promise<InvokeResponse> {
    const { value, secrets } = given(object, args);
    const said = await this.#client.validateEphemeral(object.type, value);
    this.#refuse(object, said);
    const about = { type: object.type, address: object.token, masks: secrets };
    const opening = this.#client.openEphemeral(about, value);
    const { value: result, warnings } = await opening;
    this.#open.push(opening);
    this.#messages.warn(undefined, object.shape, warnings);
    const shown = toProperties(object.shape, result, { unmarked: true });
    const made = newMap();
    for (const [key, each] of Object.entries(shown)) made[key] = secret(each);
    return { result: made, failures: [] };
  }

  #refuse(object: ObjectModel, said: Parameters<typeof failuresOf>[1]): void {
    this.#messages.warn(undefined, object.shape, said);
    const failures = failuresOf(object.shape, said);
    if (failures.length > 0) throw new Refused(failures);
  }

  async #callFunction(found: ProviderFunctionModel, args: PropertyMap): Promise<InvokeResponse> {
    try {
      const result = await this.#client.callFunction(found.name, argumentsOf(found, args));
      const shown = valueToProperty(found.result, result);
      const isObject = found.result.t === 'object' && isMap(shown);
      return { result: isObject ? shown : { [RESULT]: shown }, failures: [] };
    } catch (error) {
      if (error instanceof EdgeError) throw new Refused(edgeFailures(error.failures));
      if (!(error instanceof FunctionFailure)) throw error;
      const { argument, reason } = error;
      const last = found.parameters.at(-1);
      const parameter = argument === undefined ? undefined : (found.parameters[argument] ?? last);
      throw new Refused([{ property: parameter?.property ?? '', reason }]);
    }
  }
}

/** Key of a function's result that has no properties of its schema. */
const RESULT = 'result';

class Refused extends Error {
  constructor(readonly failures: InvokeResponse['failures']) {
    super('refused');
  }
}

function given(object: ObjectModel, args: PropertyMap) {
  try {
    return toTerraform(object.shape, args);
  } catch (error) {
    if (error instanceof EdgeError) throw new Refused(edgeFailures(error.failures));
    throw error;
  }
}

function argumentsOf({ parameters }: ProviderFunctionModel, args: PropertyMap): readonly TfValue[] {
  return parameters.flatMap(({ property, form, type, isVariadic }) => {
    const value: PropertyValue = args[property] ?? null;
    if (!isVariadic) return [valueToTerraform(form, type, value, [property]).value];
    const all = isArray(value) ? value : value === null ? [] : [value];
    return all.map((each, at) => valueToTerraform(form, type, each, [property, at]).value);
  });
}
