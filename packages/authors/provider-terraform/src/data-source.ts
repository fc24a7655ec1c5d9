import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { Provider } from '@cairn/wire';
import { record } from '@cairn/tfplugin';
import type { TfRecord, TfValue } from '@cairn/tfplugin';
import { checkShape } from '@cairn/provider-sdk/protocols';
import { failureDiagnostic, failureDiagnostics, reportedOnly } from './diagnostics.js';
import type { TerraformDiagnostic } from './diagnostics.js';
import type { ServedShapes } from './resource-schema.js';
import { settingsUnknown } from './settings.js';
import type { SettingsStatus } from './settings.js';
import { absentOf, fromTf, toTf } from './values.js';

/** Answer of a data source. */
export interface DataResponse {
  readonly state: TfRecord | null;
  readonly diagnostics: readonly TerraformDiagnostic[];
}

/** Serves one of Cairn's functions as a data source. */
export class DataSource {
  readonly #provider: Provider;
  /** Whole token of the function. */
  readonly #token: string;
  readonly #settings: SettingsStatus;

  constructor(
    provider: Provider,
    readonly served: ServedShapes,
    token: string,
    settings: SettingsStatus,
  ) {
    this.#provider = provider;
    this.#token = token;
    this.#settings = settings;
  }

  validate(config: TfRecord): readonly TerraformDiagnostic[] {
    const { fields, inputs } = this.served;
    const set = [...fields.values()].filter(
      ({ name, flags }) => !flags.required && !flags.optional && (config[name] ?? null) !== null,
    );
    const { failures } = checkShape(inputs, this.#given(config));
    return [...set.map(({ name }) => reportedOnly(name)), ...failureDiagnostics(fields, failures)];
  }

  /** Returns the function's answer. Given arguments remain unchanged; missing ones are taken from the answer. */
  async read(config: TfRecord): Promise<DataResponse> {
    const { fields, inputs } = this.served;
    try {
      if (this.#settings.state === 'unknown') throw settingsUnknown();
      const args = this.#given(config);
      const { result, failures } = await this.#provider.invoke({ token: this.#token, args, preview: false });
      if (failures.length > 0) return { state: null, diagnostics: failureDiagnostics(fields, failures) };
      const asked = checkShape(inputs, args).inputs;
      return { state: this.#answered(config, asked, result), diagnostics: [] };
    } catch (error) {
      return { state: null, diagnostics: [failureDiagnostic(`read ${this.#token}`, error)] };
    }
  }

  #answered(config: TfRecord, asked: PropertyMap, result: PropertyMap): TfRecord {
    const { fields, inputs, outputs } = this.served;
    const valueOf = (name: string, field: NonNullable<ReturnType<typeof fields.get>>): TfValue => {
      const { property } = field;
      const isGiven = (config[name] ?? null) !== null;
      const sameType = inputs[property]?.type.kind === outputs[property]?.type.kind;
      if (property in outputs && (!(property in inputs) || (sameType && !isGiven))) {
        const value = result[property] ?? asked[property];
        return toTf(field, value);
      }
      if (isGiven) return config[name] as TfValue;
      return field.flags.computed ? toTf(field, asked[property]) : absentOf(field);
    };
    return record([...fields].map(([name, field]) => [name, valueOf(name, field)]));
  }

  #given(config: TfRecord): PropertyMap {
    const entries = [...this.served.fields]
      .filter(([, { property }]) => property in this.served.inputs)
      .map(([name, field]) => [field.property, fromTf(field, config[name] ?? null)] as const)
      .filter(([, value]) => value !== undefined);
    return { ...emptyMap, ...(Object.fromEntries(entries) as PropertyMap) };
  }
}
