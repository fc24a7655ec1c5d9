import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { containsSecret, getProperty, secret } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { Provider, TypeExtras } from '@cairn/wire';
import { doubtName } from '../model/history.js';
import type { Doubt } from '../model/history.js';
import type { OutputsToTell } from '../model/result.js';

/** Outputs of an object that the provider cannot read, or the reason why they are incomplete. */
export type AnsweredOutputs =
  | { readonly t: 'complete'; readonly outputs: PropertyMap }
  /**
   * `missing`: required outputs of its schema that were not supplied; `undefined` if its provider has no schema for it.
   */
  | { readonly t: 'missing'; readonly missing: readonly string[] | undefined }
  /** The schema has no outputs of these names, or they have another type there. */
  | { readonly t: 'wrong'; readonly why: string };

interface OutputSpec {
  readonly type?: unknown;
  readonly secret?: unknown;
}

/** Outputs of a type in a schema: all by name, and those that are always present. */
interface OutputsOfType {
  readonly properties: Readonly<Record<string, OutputSpec>>;
  readonly required: readonly string[];
}

/**
 * Completes the outputs of an object with those that a person supplies. Outputs with the name of an input get its
 * value. All supplied outputs are secret as soon as an input is: they may reveal it. Without supplied outputs, no
 * person has been asked for them yet. Never throws.
 */
export async function toldOutputs(
  provider: Provider,
  { type, inputs }: Pick<ResourceEntry, 'type' | 'inputs'>,
  told: PropertyMap | undefined,
): Promise<AnsweredOutputs> {
  const schema = await outputsOf(provider, type);
  const given = hidden(told ?? {}, inputs, schema);
  if (schema === undefined)
    return told === undefined
      ? { t: 'missing', missing: undefined }
      : { t: 'complete', outputs: { ...inputs, ...given } };
  const { properties, required } = schema;
  const wrong = Object.keys(given).flatMap((key) => wrongAt(key, told ?? {}, properties))[0];
  if (wrong !== undefined) return { t: 'wrong', why: wrong };
  const outputs: Record<string, PropertyValue> = {};
  for (const key of Object.keys(properties)) {
    const value = getProperty(given, key) ?? getProperty(inputs, key);
    if (value !== undefined) outputs[key] = value;
  }
  const missing = required.filter((key) => !Object.hasOwn(outputs, key));
  return missing.length > 0 ? { t: 'missing', missing } : { t: 'complete', outputs };
}

/**
 * Returns the outputs that a person must supply with the answer that a step was done, or `undefined` if none are
 * needed. `reads`: source of the provider's answers. A provider that has a schema and does not state its source may
 * read the object. Its outputs are needed only if it does not.
 */
export async function outputsToTell(
  reads: TypeExtras['reads'],
  provider: Provider,
  { type, resource }: Pick<Doubt, 'type' | 'resource'>,
): Promise<OutputsToTell | undefined> {
  if (reads === 'world' || type === 'deleting') return undefined;
  const told = await toldOutputs(provider, resource, undefined);
  if (told.t !== 'missing') return undefined;
  const mayLook = reads === undefined && told.missing !== undefined;
  return { names: told.missing ?? [], needed: mayLook ? 'unless-read' : 'always' };
}

/** Returns the reason for requesting outputs. */
export function lacking(missing: readonly string[] | undefined): string {
  const what = missing === undefined ? 'its outputs' : `these outputs of it: ${missing.join(', ')}`;
  return `its provider cannot read ${what}`;
}

/** Makes the diagnostic that requests outputs. `answer`: the person's answer so far, as options of the command. */
export function outputsWanted(
  told: Exclude<AnsweredOutputs, { readonly t: 'complete' }>,
  doubt: Pick<Doubt, 'type' | 'resource'>,
  answer: string,
): Diagnostic {
  const { urn } = doubt.resource;
  const what = doubt.type === 'creating' ? 'what was created' : 'what was updated';
  const why = told.t === 'wrong' ? told.why : lacking(told.missing);
  const example = told.t === 'missing' ? (told.missing ?? ['output']) : ['output'];
  const json = JSON.stringify(Object.fromEntries(example.map((key) => [key, '…'])));
  return errorDiagnostic('CAIRN-RESOURCE-MISSING', `cannot record ${what} for ${urn}: ${why}`, {
    urn,
    hint: `Nothing was changed. Write the outputs to a file, as JSON: ${json}, and run \`cairn change resolve ${doubtName(doubt)} ${answer} --outputs FILE\`.`,
  });
}

/** Returns the outputs of a type in the provider's schema, or `undefined` if it has none. */
async function outputsOf(provider: Provider, type: string): Promise<OutputsOfType | undefined> {
  try {
    const schema = JSON.parse(await provider.getSchema({ version: 0 })) as {
      readonly resources?: Readonly<Record<string, Partial<OutputsOfType>>>;
    };
    const resources = schema.resources ?? {};
    const found = Object.hasOwn(resources, type) ? resources[type] : undefined;
    return found && { properties: found.properties ?? {}, required: found.required ?? [] };
  } catch {
    return undefined;
  }
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
};

function wrongAt(key: string, told: PropertyMap, properties: OutputsOfType['properties']): readonly string[] {
  if (!Object.hasOwn(properties, key)) return [`it has no output "${key}"`];
  const type = properties[key]?.type;
  const wanted = typeof type === 'string' ? PLAIN[type] : undefined;
  return wanted === undefined || typeof told[key] === wanted
    ? []
    : [`its output "${key}" is of type ${type}`];
}

function hidden(told: PropertyMap, inputs: PropertyMap, schema: OutputsOfType | undefined): PropertyMap {
  const all = containsSecret(inputs);
  return Object.fromEntries(
    Object.entries(told).map(([key, value]) => [
      key,
      all || schema?.properties[key]?.secret === true ? secret(value) : value,
    ]),
  );
}
