import type { Backend, StackId } from '@cairn/backends';

/** Identity of the state that was taken over into a stack, by which Terraform distinguishes its states. */
interface RememberedState {
  readonly lineage: string;
  readonly serial: bigint;
}

const LINEAGE = 'terraform:lineage';
const SERIAL = 'terraform:serial';

type Stack = { readonly backend: Backend; readonly id: StackId };

/** Stores it as tags of the stack. */
export async function rememberState(
  { backend, id }: Stack,
  { lineage, serial }: RememberedState,
): Promise<void> {
  await backend.editTags(id, (tags) => ({ ...tags, [LINEAGE]: lineage, [SERIAL]: String(serial) }));
}

/** Returns the stored identity, or `undefined` if no state was taken over. */
export async function rememberedState({ backend, id }: Stack): Promise<RememberedState | undefined> {
  const tags = await backend.tags(id);
  const [lineage, serial] = [tags[LINEAGE], tags[SERIAL]];
  if (lineage === undefined || serial === undefined || !/^\d+$/.test(serial)) return undefined;
  return { lineage, serial: BigInt(serial) };
}
