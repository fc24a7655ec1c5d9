import { withEntries } from '@cairn/backends';
import type { NewSeal, MovingChange } from '@cairn/backends';
import { settled } from '@cairn/crypters';
import { isJsonObject } from '@cairn/state';
import type { Json, JsonObject, SecretsProviderRecord } from '@cairn/state';

type Records = MovingChange['records'];

/**
 * Returns a change that has ended with its secrets sealed again: in its description, its records and the state that it
 * started from. The manager that this state names has sealed them, without one `manager`; from an entry with another
 * manager on, that one has.
 */
export async function resealedChange(
  change: MovingChange,
  seal: NewSeal,
  manager: SecretsProviderRecord | undefined,
): Promise<MovingChange> {
  const { base, operation, records } = change;
  const sealedBy = base?.secretsProvider ?? manager;
  if (sealedBy === undefined) return change;
  const { config, options, goalKey } = operation;
  const key = goalKey === undefined ? undefined : await seal.json({ ciphertext: goalKey }, sealedBy);
  return {
    ...change,
    operation: {
      ...operation,
      config: await seal.config(config, sealedBy),
      ...(options !== undefined && { options: await seal.json(options, sealedBy) }),
      ...(key !== undefined && { goalKey: (key as { readonly ciphertext: string }).ciphertext }),
    },
    records: await resealedRecords(records, seal, sealedBy),
    base: base?.secretsProvider === undefined ? base : await settled(await seal.deployment(base)),
  };
}

async function resealedRecords(
  records: Records,
  seal: NewSeal,
  sealedBy: SecretsProviderRecord,
): Promise<Records> {
  const sealed: Records[number][] = [];
  for (const { manager, run } of runsOf(records, sealedBy)) {
    const texts = (await seal.json(run as unknown as Json, manager)) as unknown as Records;
    sealed.push(...texts.map((record) => withManagers(record, () => seal.secretsProvider)));
  }
  return sealed;
}

/** Records that one manager has sealed. */
interface Run {
  readonly manager: SecretsProviderRecord;
  readonly run: Records[number][];
}

function runsOf(records: Records, first: SecretsProviderRecord): readonly Run[] {
  const runs: Run[] = [{ manager: first, run: [] }];
  for (const record of records) {
    const named = managersIn(record).at(-1);
    if (named !== undefined) runs.push({ manager: named, run: [] });
    runs.at(-1)?.run.push(record);
  }
  return runs;
}

/** Returns the managers that the entries of a record name, in order. */
function managersIn(record: Records[number]): readonly SecretsProviderRecord[] {
  const found: SecretsProviderRecord[] = [];
  withEntries(record, (entry) => {
    const { secretsProvider, newSnapshot } = entry as JsonObject;
    const inState = isJsonObject(newSnapshot) ? newSnapshot['secrets_providers'] : undefined;
    for (const each of [inState, secretsProvider])
      if (isJsonObject(each)) found.push(each as unknown as SecretsProviderRecord);
    return entry;
  });
  return found;
}

/** Returns a record with the managers that its entries name replaced. */
export function withManagers(
  record: Records[number],
  replaced: (manager: SecretsProviderRecord) => SecretsProviderRecord,
): Records[number] {
  const other = (object: JsonObject, name: string): JsonObject => {
    const named = object[name];
    if (!isJsonObject(named)) return object;
    return { ...object, [name]: replaced(named as unknown as SecretsProviderRecord) as unknown as Json };
  };
  return withEntries(record, (entry) => {
    const own = other(entry as JsonObject, 'secretsProvider');
    const { newSnapshot } = own;
    return isJsonObject(newSnapshot) ? { ...own, newSnapshot: other(newSnapshot, 'secrets_providers') } : own;
  });
}
