import { compatible, conform, equalValues, isWhollyKnown, planValidity, record } from '@cairn/tfplugin';
import type { TfRecord, TfValue } from '@cairn/tfplugin';
import type { ProviderDefinition } from '@cairn/provider-sdk';
import { TerraformProvider } from '../index.js';
import type { ManagedResource, Protocol, PlanResponse, StateResponse } from '../index.js';

const NONE = new Uint8Array();

/** One object in the hands of Terraform: plans and applies as it does, and holds the provider to the contract. */
export class Instance {
  state: TfRecord | null = null;
  #bytes: Uint8Array = NONE;

  constructor(readonly type: ManagedResource) {}

  config(values: Readonly<Record<string, TfValue>>): TfRecord {
    const stub = this.type.import('').state as TfRecord;
    return record([
      ...Object.keys(stub).map(
        (name) => [name, name === 'id' ? null : (values[name] ?? stub[name] ?? null)] as const,
      ),
    ]);
  }

  async plan(values: Readonly<Record<string, TfValue>>, fresh = false): Promise<PlanResponse> {
    const config = this.config(values);
    expect(conform(this.type.served.type, config)).toEqual([]);
    const prior = fresh ? null : this.state;
    const plan = await this.type.plan({ prior, config, priorPrivate: this.#bytes });
    if (plan.diagnostics.length > 0) return plan;
    expect(conform(this.type.served.type, plan.planned)).toEqual([]);
    const planned = plan.planned as TfRecord;
    expect(planValidity(this.type.served.schema.block, prior, config, planned)).toEqual([]);
    return plan;
  }

  /** `create`, `update`, `replace` or nothing, done as planned. */
  async apply(values: Readonly<Record<string, TfValue>>): Promise<string> {
    let plan = await this.plan(values);
    if (plan.diagnostics.length > 0) return said(plan);
    if (this.state !== null && equalValues(this.type.served.type, plan.planned, this.state)) return 'nothing';
    const replaced = this.state !== null && plan.requiresReplace.length > 0;
    const action = this.state === null ? 'create' : replaced ? 'replace' : 'update';
    const { type } = this;
    if (replaced) {
      const old = await type.apply({
        prior: this.state,
        planned: null,
        config: null,
        plannedPrivate: plan.plannedPrivate,
      });
      expect([old.state, old.diagnostics]).toEqual([null, []]);
      [this.state, this.#bytes] = [null, NONE];
      plan = await this.plan(values);
    }
    const { planned, plannedPrivate } = plan;
    const made = await type.apply({
      prior: this.state,
      planned,
      config: this.config(values),
      plannedPrivate,
    });
    [this.state, this.#bytes] = [made.state, made.private];
    if (made.diagnostics.length > 0) return `${action}: ${said(made)}`;
    expect(conform(type.served.type, made.state)).toEqual([]);
    expect(isWhollyKnown(made.state)).toBe(true);
    expect(compatible(type.served.schema.block, planned, made.state)).toEqual([]);
    return action;
  }

  async read(): Promise<StateResponse> {
    const found = await this.type.read(this.state as TfRecord, this.#bytes);
    [this.state, this.#bytes] = [found.state, found.private];
    return found;
  }

  async import(id: string): Promise<StateResponse> {
    const stub = this.type.import(id);
    [this.state, this.#bytes] = [stub.state, stub.private];
    return this.read();
  }

  async delete(): Promise<StateResponse> {
    const plan = await this.type.plan({ prior: this.state, config: null, priorPrivate: this.#bytes });
    expect(plan.planned).toBeNull();
    return this.type.apply({
      prior: this.state,
      planned: null,
      config: null,
      plannedPrivate: plan.plannedPrivate,
    });
  }
}

/** Diagnostics as text. */
export const said = ({ diagnostics }: { readonly diagnostics: PlanResponse['diagnostics'] }): string =>
  diagnostics
    .map(({ summary, detail, attribute }) => `${summary}: ${detail} [${attribute?.join('.') ?? ''}]`)
    .join('; ');

/** An object of a type of a configured provider. */
export async function instanceOf(
  definition: ProviderDefinition,
  type: string,
  config: Readonly<Record<string, TfValue>> = {},
  protocol: Protocol = 6,
): Promise<Instance> {
  const provider = new TerraformProvider(definition, { protocol });
  const names = [...provider.schema.block.attributes.keys()];
  expect(await provider.configure(record(names.map((name) => [name, config[name] ?? null])))).toEqual([]);
  return new Instance(provider.resources.get(type) as ManagedResource);
}

