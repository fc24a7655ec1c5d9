import type { Block, TfValue } from '@cairn/tfplugin';
import { equalValues, impliedType } from '@cairn/tfplugin';
import { valueOf, written } from '@cairn/tfplugin/notation';
import type { NotationJson } from '@cairn/tfplugin/notation';
import { TerraformFailure } from '../src/index.js';
import type {
  ApplyResult,
  EphemeralResource,
  TerraformObjectState,
  Planned,
  PlannedDelete,
  StoredObject,
  Subject,
  TerraformClient,
  TfDiagnostic,
} from '../src/index.js';
import type { ExpectedChange, KeptObject, LifecycleCase, Wanted } from './lifecycle-case.js';
import {
  expectedOf,
  findingText,
  isMarkedOtherwise,
  saidText,
  secretsOf,
  storedOf,
  subjectOf,
} from './lifecycle-words.js';
import type { Change } from './lifecycle-words.js';

interface Slot {
  current: StoredObject | undefined;
  deposed: StoredObject[];
}

/** Outcome of a case. */
export interface Outcome {
  readonly changes: readonly ExpectedChange[];
  readonly drift: readonly string[];
  readonly told: readonly string[];
  readonly toldByApply: readonly string[];
  readonly after: readonly KeptObject[];
}

/** Timer that runs the due renewals of an ephemeral resource at once. */
const AT_ONCE = {
  now: () => Date.now(),
  after: (_milliseconds: number, work: () => void) => {
    work();
    return () => {};
  },
};

/**
 * Does the work of Terraform for a whole program, with the calls about single objects. Plans and then applies one
 * object after the other, in the order of the program.
 */
export class LifecycleDriver {
  readonly #slots = new Map<string, Slot>();
  readonly #values = new Map<string, TfValue>();
  readonly #dataValues = new Map<string, TfValue>();
  readonly #changes: Change[] = [];
  readonly #drift: string[] = [];
  #told: string[] = [];
  #failed = false;
  readonly #client: TerraformClient;
  readonly #given: LifecycleCase;

  constructor(client: TerraformClient, given: LifecycleCase) {
    this.#client = client;
    this.#given = given;
    for (const object of given.before ?? []) {
      const slot = this.#slot(object.address);
      if (object.deposed === true) slot.deposed.push(storedOf(object));
      else slot.current = storedOf(object);
    }
  }

  /** `between` is called after planning. */
  async run(between: () => void): Promise<Outcome> {
    const { command } = this.#given;
    await this.#attempt(() => this.#phase(() => this.#plan()));
    const changes = this.#failed ? [] : this.#changes.filter(({ action }) => action !== 'refresh');
    const told = this.#told;
    this.#told = [];
    between();
    if (!this.#failed && command !== 'plan') {
      this.#values.clear();
      for (const [address, value] of this.#dataValues) this.#values.set(address, value);
      await this.#phase(async () => {
        for (const change of this.#changes) await this.#attempt(() => this.#apply(change));
      });
    }
    const after = [...this.#slots].flatMap(([address, slot]) => this.#kept(address, slot));
    const data = [...this.#dataValues].map(([address, value]) => ({ address, attributes: written(value) }));
    return {
      changes: changes.map((change) => expectedOf(change)),
      drift: this.#drift,
      told,
      toldByApply: this.#told,
      after: [...(data as KeptObject[]), ...after],
    };
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof TerraformFailure)) throw error;
      this.#failed = true;
      this.#tell(error);
    }
  }

  #tell({ diagnostics, findings }: Pick<TerraformFailure, 'diagnostics' | 'findings'>): void {
    const malformed = findings.some(({ code }) => code === 'PLAN_TYPE' || code === 'NONCONFORMING');
    const said = malformed ? diagnostics.slice(0, -1) : diagnostics;
    this.#told.push(...findings.map(findingText), ...said.map(saidText));
  }

  /** Opens the required ephemeral resources during the work, and closes them. */
  async #phase(work: () => Promise<void>): Promise<void> {
    const open: EphemeralResource[] = [];
    for (const wanted of this.#given.wanted.filter(({ address }) => address.startsWith('ephemeral.'))) {
      const subject = subjectOf(wanted);
      const { block } = this.#client.schema.ephemeralResources.get(subject.type) as { readonly block: Block };
      const config = this.#config(block, wanted);
      this.#validated(subject, await this.#client.validateEphemeral(subject.type, config));
      const opened = await this.#client.openEphemeral(subject, config, AT_ONCE);
      open.push(opened);
      this.#values.set(wanted.address, opened.value);
    }
    await work();
    for (const each of open) await each.close();
  }

  async #plan(): Promise<void> {
    const { wanted, command, letGo = [] } = this.#given;
    for (const each of wanted) {
      if (each.address.startsWith('data.')) await this.#planData(each);
      else if (!each.address.startsWith('ephemeral.')) await this.#planResource(each);
    }
    if (command === 'destroy') await this.#planDestroy();
    const kept = new Set(wanted.map(({ address }) => address));
    for (const [address, { current }] of this.#slots) {
      if (kept.has(address) || current === undefined) continue;
      const subject = subjectOf({ address });
      const { state } = await this.#client.upgrade(subject, current);
      if (letGo.includes(address)) {
        this.#changes.push({ address, action: 'forget' });
        continue;
      }
      const planned = await this.#client.planDelete(subject, state);
      const found = await this.#client.read(subject, state);
      if (found.state !== undefined) this.#changes.push({ address, action: 'delete', delete: planned });
    }
  }

  async #planData(wanted: Wanted): Promise<void> {
    const subject = subjectOf(wanted);
    const { block } = this.#client.schema.dataSources.get(subject.type) as { readonly block: Block };
    const config = this.#config(block, wanted);
    this.#validated(subject, await this.#client.validateDataSource(subject.type, config));
    const { value, placeholder } = await this.#client.readDataSource(subject, config);
    this.#values.set(wanted.address, value);
    if (placeholder) this.#changes.push({ address: wanted.address, wanted, action: 'read' });
    else this.#dataValues.set(wanted.address, value);
  }

  async #planResource(wanted: Wanted): Promise<void> {
    const { address } = wanted;
    const { refresh = true, command, replace = [] } = this.#given;
    const subject = subjectOf(wanted);
    const slot = this.#slot(address);
    const old = await Promise.all(slot.deposed.map((each) => this.#client.upgrade(subject, each)));
    let prior = await this.#prior(wanted, slot);
    const deletes: Change[] = [];
    const gone = new Set<number>();
    for (const [at, { state }] of old.entries()) {
      if ((await this.#client.read(subject, state)).state === undefined) gone.add(at);
    }
    if (prior !== undefined && refresh && wanted.import === undefined) {
      const { state, warnings } = await this.#client.read(subject, prior);
      this.#tellWarnings(warnings);
      if (state === undefined) this.#drift.push(`delete ${address}`);
      else if (!this.#same(subject, prior.value, state.value)) this.#drift.push(`update ${address}`);
      prior = state;
      slot.current = state === undefined ? undefined : this.#client.store(subject.type, state);
    }
    for (const [at, { state }] of old.entries()) {
      if (gone.has(at)) continue;
      const planned = await this.#client.planDelete(subject, state);
      deletes.push({ address, action: 'delete', delete: planned, deposed: at });
    }
    slot.deposed = slot.deposed.filter((_each, at) => !gone.has(at));
    if (command === 'refresh') return;
    const { block } = this.#client.schema.resources.get(subject.type) as { readonly block: Block };
    const config = this.#config(block, wanted);
    this.#validated(subject, await this.#client.validateResource(subject.type, config));
    const planned = await this.#client.plan(subject, {
      prior,
      config,
      ignored: wanted.ignored,
      forced: replace.includes(address) || this.#isReplacedWith(wanted),
    });
    this.#tellWarnings(planned.warnings);
    const marked = planned.action === 'none' && isMarkedOtherwise(wanted, prior);
    this.#values.set(address, planned.planned);
    this.#changes.push({ address, wanted, action: marked ? 'update' : planned.action, planned }, ...deletes);
  }

  /** Returns the object before the change: kept, imported or moved. */
  async #prior(wanted: Wanted, slot: Slot): Promise<TerraformObjectState | undefined> {
    const subject = subjectOf(wanted);
    const { movedFrom } = wanted;
    if (wanted.import !== undefined) {
      const { state } = await this.#client.importObject(subject, wanted.import);
      slot.current = this.#client.store(subject.type, state);
      return state;
    }
    if (movedFrom !== undefined) {
      const from = this.#slot(movedFrom);
      const stored = from.current as StoredObject;
      from.current = undefined;
      const { type } = subjectOf({ address: movedFrom });
      if (type === subject.type) slot.current = stored;
      else {
        const source = { provider: 'registry.terraform.io/acme/sample', type, stored };
        const { state } = await this.#client.move(subject, source);
        slot.current = this.#client.store(subject.type, state);
      }
    }
    if (slot.current === undefined) return undefined;
    return (await this.#client.upgrade(subject, slot.current)).state;
  }

  /** Plans to delete everything that the ordinary plan has found. */
  async #planDestroy(): Promise<void> {
    this.#changes.length = 0;
    for (const [address, { current }] of [...this.#slots].reverse()) {
      if (current === undefined) continue;
      const subject = subjectOf({ address });
      const { state } = await this.#client.upgrade(subject, current);
      this.#changes.push({
        address,
        action: 'delete',
        delete: await this.#client.planDelete(subject, state),
      });
    }
  }

  async #apply(change: Change): Promise<void> {
    const { address, wanted, action, planned } = change;
    const subject = subjectOf(wanted ?? { address });
    const slot = this.#slot(address);
    if (action === 'forget') {
      await this.#client.upgrade(subject, slot.current as StoredObject);
      slot.current = undefined;
    } else if (change.deposed !== undefined) {
      slot.deposed = [];
      await this.#deleteDeposed(
        subject,
        this.#client.store(subject.type, (change.delete as PlannedDelete).prior),
      );
    } else if (change.delete !== undefined) {
      await this.#client.upgrade(subject, slot.current as StoredObject);
      slot.current = this.#keep(subject, await this.#client.applyDelete(subject, change.delete));
    } else if (action === 'read') {
      await this.#planData(wanted as Wanted);
    } else if (action === 'none') {
      this.#values.set(address, (planned as Planned).planned);
    } else if (action === 'replace' && wanted?.createFirst === true) {
      await this.#createFirst(subject, change);
    } else if (action === 'replace') {
      const { state } = await this.#client.upgrade(subject, slot.current as StoredObject);
      const { private: bytes } = planned as Planned;
      const applied = await this.#client.applyDelete(subject, {
        prior: state,
        private: bytes,
        warnings: [],
        notes: [],
      });
      slot.current = this.#keep(subject, applied);
      if (applied.failure === undefined)
        slot.current = this.#keep(subject, await this.#change(change, undefined));
    } else {
      const before = slot.current;
      const prior = before === undefined ? undefined : (await this.#client.upgrade(subject, before)).state;
      const applied = await this.#change(change, prior);
      slot.current = this.#keep(subject, applied);
    }
  }

  /** Leaves the old object aside until the new one exists. */
  async #createFirst(subject: Subject, change: Change): Promise<void> {
    const slot = this.#slot(change.address);
    const old = slot.current as StoredObject;
    const applied = await this.#change(change, undefined);
    slot.current = this.#keep(subject, applied) ?? old;
    if (slot.current === old) return;
    slot.deposed.push(old);
    if (applied.failure !== undefined) return;
    slot.deposed = [];
    await this.#deleteDeposed(subject, old);
  }

  /** Deletes an object that was replaced. It remains if that fails. */
  async #deleteDeposed(subject: Subject, old: StoredObject): Promise<void> {
    const { state } = await this.#client.upgrade(subject, old);
    const planned = await this.#client.planDelete(subject, state);
    const left = this.#keep(subject, await this.#client.applyDelete(subject, planned));
    if (left !== undefined) this.#slot(subject.address).deposed.push(left);
  }

  /** Plans again with the known values, and applies the plan. */
  async #change(
    { wanted, planned, action }: Change,
    prior: TerraformObjectState | undefined,
  ): Promise<ApplyResult> {
    const subject = subjectOf(wanted as Wanted);
    const { block } = this.#client.schema.resources.get(subject.type) as { readonly block: Block };
    const config = this.#config(block, wanted as Wanted);
    this.#validated(subject, await this.#client.validateResource(subject.type, config));
    const again = await this.#client.plan(subject, { prior, config, ignored: wanted?.ignored });
    this.#tellWarnings(again.warnings);
    this.#client.checkSamePlan(subject, planned as Planned, again);
    if (action === 'update' && again.action === 'none') {
      const state = { ...(prior as TerraformObjectState), sensitivePaths: subject.masks ?? [] };
      return { state, answered: false, warnings: [], notes: [] };
    }
    return this.#client.apply(subject, again);
  }

  #keep(subject: Subject, { state, failure, warnings }: ApplyResult): StoredObject | undefined {
    if (failure !== undefined) this.#tell(failure);
    else this.#tellWarnings(warnings);
    if (state === undefined) return undefined;
    this.#values.set(subject.address, state.value);
    return this.#client.store(subject.type, state);
  }

  #validated(subject: Subject, diagnostics: readonly TfDiagnostic[]): void {
    if (diagnostics.some(({ severity }) => severity === 'error')) {
      throw new TerraformFailure(this.#client.name, subject, diagnostics, []);
    }
    this.#tellWarnings(diagnostics);
  }

  #tellWarnings(diagnostics: readonly TfDiagnostic[]): void {
    this.#told.push(...diagnostics.map(saidText));
  }

  #isReplacedWith({ replacedWith = [] }: Wanted): boolean {
    return this.#changes.some(({ address, action }) => action !== 'none' && replacedWith.includes(address));
  }

  #same({ type }: Subject, a: TfValue, b: TfValue): boolean {
    const { block } = this.#client.schema.resources.get(type) as { readonly block: Block };
    return equalValues(impliedType(block), a, b);
  }

  #config(block: Block, { config }: Wanted): TfValue {
    const known = (json: NotationJson): NotationJson => {
      if (typeof json !== 'object' || json === null) return json;
      if (Array.isArray(json)) return (json as readonly NotationJson[]).map(known);
      const { $ref } = json as { readonly $ref?: readonly [string, string] };
      if ($ref !== undefined)
        return written((this.#values.get($ref[0]) as { readonly [name: string]: TfValue })[$ref[1]] ?? null);
      return Object.fromEntries(
        Object.entries(json).map(([key, each]) => [key, known(each as NotationJson)]),
      );
    };
    return valueOf(block, known(config as NotationJson));
  }

  #slot(address: string): Slot {
    const found = this.#slots.get(address) ?? { current: undefined, deposed: [] };
    this.#slots.set(address, found);
    return found;
  }

  #kept(address: string, { current, deposed }: Slot): readonly KeptObject[] {
    const all = [
      ...(current === undefined ? [] : [[current, false] as const]),
      ...deposed.map((each) => [each, true] as const),
    ];
    return all.map(([stored, isDeposed]) => {
      const { block } = this.#client.schema.resources.get(subjectOf({ address }).type) as {
        readonly block: Block;
      };
      const attributes = JSON.parse(stored.attributes) as KeptObject['attributes'];
      const secrets = (stored.sensitivePaths?.length ?? 0) + secretsOf(block, attributes);
      const bytes = Buffer.from(stored.private).toString();
      return {
        address,
        attributes,
        ...(bytes !== '' && { private: bytes }),
        ...(stored.schemaVersion > 0 && { schemaVersion: stored.schemaVersion }),
        ...(stored.tainted && { tainted: true }),
        ...(isDeposed && { deposed: true }),
        ...(secrets > 0 && { secretPaths: secrets }),
      };
    });
  }
}
