import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Ignored, ProviderMethod, TfPath } from '@cairn/tfplugin';
import type { NotationJson } from '@cairn/tfplugin/notation';
import type { TerraformDefinition } from '@cairn/testkit/terraform';

/** One call of an exchange: the expected request, in the order of the list, and its answer. */
export interface Exchanged {
  readonly call: ProviderMethod;
  /** Type of the object, if it is not the first of the provider. */
  readonly type?: string;
  /** Parts of the request. Private bytes that are omitted must be empty. */
  readonly asked: { readonly [part: string]: NotationJson };
  readonly answer: { readonly [part: string]: NotationJson };
}

/** An object of the state. */
export interface KeptObject {
  readonly address: string;
  readonly attributes: { readonly [name: string]: NotationJson };
  readonly private?: string;
  readonly schemaVersion?: number;
  readonly tainted?: boolean;
  /** True if it was replaced and remains to be deleted. */
  readonly deposed?: boolean;
  readonly secretPaths?: number;
}

/** The program's objects. `{ "$ref": [address, attribute] }` represents a value of another of its objects. */
export interface Wanted {
  readonly address: string;
  readonly config: { readonly [name: string]: NotationJson };
  readonly createFirst?: boolean;
  readonly ignored?: Ignored;
  /** Addresses whose change replaces this object. */
  readonly replacedWith?: readonly string[];
  readonly import?: string;
  readonly movedFrom?: string;
  readonly secret?: readonly TfPath[];
}

/** An expected planned change. */
export interface ExpectedChange {
  readonly address: string;
  readonly action: string;
  readonly createFirst?: boolean;
  readonly deposed?: boolean;
  readonly reason?: string;
  readonly paths?: readonly TfPath[];
}

/** A whole exchange with a provider: the existing and desired objects, the calls, and their outcome. */
export interface LifecycleCase {
  readonly id: string;
  readonly title: string;
  readonly protocol?: 5 | 6;
  readonly provider: TerraformDefinition;
  /** Configuration of the provider. */
  readonly settings?: { readonly [name: string]: NotationJson };
  readonly before?: readonly KeptObject[];
  readonly wanted: readonly Wanted[];
  /** Addresses of objects that are no longer managed and not deleted. */
  readonly letGo?: readonly string[];
  readonly command: 'plan' | 'apply' | 'destroy' | 'refresh';
  /** Addresses whose replacement is requested. */
  readonly replace?: readonly string[];
  /** False if objects are not read first. */
  readonly refresh?: boolean;
  /** Answers to validations, which exchanges otherwise omit. */
  readonly validate?: readonly Pick<Exchanged, 'call' | 'answer'>[];
  readonly plan: readonly Exchanged[];
  readonly apply?: readonly Exchanged[];
  /** True if calls of the two phases may come in any order within each. */
  readonly anyOrder?: boolean;
  /** Reason for a difference from Terraform's exchange. */
  readonly differs?: string;
  readonly expect: {
    readonly changes?: readonly ExpectedChange[];
    readonly drift?: readonly string[];
    /** Findings as `CODE path`, and `error text` and `warning text` of the provider. */
    readonly told?: readonly string[];
    readonly toldByApply?: readonly string[];
    readonly after?: readonly KeptObject[];
  };
}

interface CaseFile {
  readonly providers: Readonly<Record<string, TerraformDefinition>>;
  readonly cases: readonly (LifecycleCase & {
    readonly values?: { readonly [name: string]: NotationJson };
  })[];
}

const FOLDER = path.join(__dirname, 'cases', 'lifecycle');

/** Returns all cases, with named values inserted. */
export function lifecycleCases(): readonly LifecycleCase[] {
  return readdirSync(FOLDER).flatMap((file) => {
    const { providers, cases } = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as CaseFile;
    return cases.map(({ values = {}, provider, ...rest }) => ({
      ...(named(rest as unknown as NotationJson, values) as unknown as LifecycleCase),
      provider: typeof provider === 'string' ? (providers[provider] as TerraformDefinition) : provider,
    }));
  });
}

function named(json: NotationJson, values: { readonly [name: string]: NotationJson }): NotationJson {
  if (typeof json === 'string') return json.startsWith('=') ? (values[json.slice(1)] as NotationJson) : json;
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return (json as readonly NotationJson[]).map((each) => named(each, values));
  return Object.fromEntries(
    Object.entries(json).map(([key, each]) => [key, named(each as NotationJson, values)]),
  );
}
