import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDefaultProviderName, parseProviderReference, urnName } from '@cairn/addresses';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { STATE_PROPERTY, givenState, readParameter, readState, writeState } from '@cairn/tf-bridge';
import type { GivenObject, GivenState, TerraformState } from '@cairn/tf-bridge';
import { getProperty, isMap, isSecret } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { OpenStack } from '../access/open-stack.js';
import { stackEntries } from '../stacks/outputs.js';
import { rememberedState } from './remembered-state.js';

/** Terraform version whose form is written if no state was taken over and no base is given. */
const TERRAFORM_VERSION = '1.11.4';

/** A stack as the text of a state of Terraform, with messages about it. */
interface ExportedState extends Omit<GivenState, 'state'> {
  readonly text: string;
  readonly lineage: string;
  /** True if it continues a state that the stack imported before. */
  readonly continuesState: boolean;
}

/**
 * Makes a Terraform state of a stack. `base` is the file of the state that was taken over. The serial is higher than
 * that of any state that was taken over, or was exported earlier from the stack.
 */
export async function exportedState(stack: OpenStack, base: string | undefined): Promise<ExportedState> {
  const before = base === undefined ? undefined : readState(await bytesOf(stack, base), base);
  const known = lineageOf(await rememberedState(stack), before);
  const newest = await stack.backend.newestChange(stack.id);
  const { entries, outputs } = await stackEntries(stack);
  const { state, addresses, leftOut } = givenState({
    objects: givenObjects(entries),
    outputs,
    base: before,
    terraformVersion: before?.terraformVersion ?? TERRAFORM_VERSION,
    lineage: known?.lineage ?? crypto.randomUUID(),
    serial: (known?.serial ?? 0n) + 1n + BigInt(newest?.number ?? 0),
  });
  return {
    text: writeState(state),
    addresses,
    leftOut,
    lineage: state.lineage,
    continuesState: known !== undefined,
  };
}

interface Known {
  readonly lineage: string;
  readonly serial: bigint;
}

/** Refuses a base that is another state than the one that was taken over. */
function lineageOf(remembered: Known | undefined, base: TerraformState | undefined): Known | undefined {
  if (base === undefined || remembered === undefined) return base ?? remembered;
  if (base.lineage !== remembered.lineage)
    throw cairnError(
      'CAIRN-TERRAFORM-STATE',
      'the base is not the state that was taken over into this stack',
      {
        causes: [`its lineage is ${base.lineage}, the other's ${remembered.lineage}`],
        hint: 'Name that state, or leave --base out.',
      },
    );
  return base.serial > remembered.serial ? base : remembered;
}

function bytesOf({ ports }: OpenStack, file: string): Promise<Uint8Array> {
  return readFile(path.resolve(ports.cwd, file)).catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot read ${file}`, { causes: [messageOf(error)] }, error);
  });
}

function givenObjects(entries: readonly ResourceEntry[]): readonly GivenObject[] {
  const providers = new Map(entries.map((entry) => [`${entry.urn}::${entry.id}`, entry]));
  return entries
    .filter(({ custom, provider, external }) => custom && provider !== undefined && !external)
    .map((entry): GivenObject => {
      const { urn, outputs, taint, delete: deposed, dependencies, provider } = entry;
      const stored = bare(getProperty(outputs, STATE_PROPERTY));
      const manager = provider === undefined ? undefined : providers.get(provider);
      return {
        urn,
        name: urnName(urn),
        stored: typeof stored === 'string' ? stored : undefined,
        source: manager && sourceOf(manager),
        provider:
          provider === undefined || isDefaultProviderName(urnName(parseProviderReference(provider).urn))
            ? undefined
            : urnName(parseProviderReference(provider).urn),
        tainted: taint,
        deposed,
        dependencies,
      };
    });
}

/** Returns the source from which a provider's entry was made. */
function sourceOf({ inputs }: ResourceEntry): string | undefined {
  const internal = bare(getProperty(inputs, '__internal'));
  const value = isMap(internal) ? bare(internal['parameterization']) : undefined;
  if (typeof value !== 'string') return undefined;
  return readParameter(Buffer.from(value, 'base64')).source;
}

function bare(value: PropertyValue | undefined): PropertyValue | undefined {
  return isSecret(value) ? value.value : value;
}
