import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { CairnError, cairnError, errorDiagnostic, isCairnError, messageOf } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import {
  adoptInstance,
  adoptingPackage,
  logicalName,
  providerName,
  providerText,
  readState,
  stateContent,
  stateOutputs,
  withAdopting,
} from '@cairn/tf-bridge';
import type {
  AdoptingPackage,
  AdoptingProvider,
  StateProviderAddress,
  StateObject,
  TerraformState,
} from '@cairn/tf-bridge';
import { newMap, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { AdoptedObject, AdoptedProvider, Adoption } from '../adoption/adopted-entries.js';
import type { Prepared } from '../operation/prepared.js';

/** A state of Terraform that is to become part of a stack, with messages about it. */
export interface AdoptionOfState extends Adoption {
  readonly state: TerraformState;
  readonly packages: readonly AdoptingPackage[];
  /** Parts that are left out, each with the reason. */
  readonly leftOut: readonly string[];
  /** Changes of the next preview, and facts that could not be determined, each with the reason. */
  readonly notes: readonly string[];
}

/** Reads a state and asks its providers about it. Changes nothing. */
export async function adoptionOfState(
  prepared: Prepared,
  file: string,
  protect: boolean,
): Promise<AdoptionOfState> {
  const state = readState(await bytesOf(prepared.ports.cwd, file), file);
  const { objects, providers, leftOut } = stateContent(state);
  const packages = await packagesOf(prepared, providers);
  const asked = await Promise.all(
    providers.map((address, at) => {
      const own = objects.filter(({ provider }) => providerText(provider) === providerText(address));
      return askProvider(prepared, packages.get(address.source) as AdoptingPackage, address, at, own);
    }),
  );
  const problems = asked.flatMap((each) => each.problems);
  if (problems.length > 0) throw new CairnError(problems);
  const byAddress = new Map(asked.flatMap((each) => each.objects.map((object) => [object.address, object])));
  return {
    state,
    packages: [...packages.values()],
    objects: objects.flatMap(({ text }) => byAddress.get(text) ?? []),
    providers: providers.map((address) => adopted(packages.get(address.source) as AdoptingPackage, address)),
    outputs: stateOutputs(state),
    protect,
    leftOut,
    notes: asked.flatMap((each) => each.notes),
  };
}

async function bytesOf(cwd: string, file: string): Promise<Uint8Array> {
  const place = path.resolve(cwd, file);
  const lock = path.join(path.dirname(place), `.${path.basename(place)}.lock.info`);
  if ((await stat(lock).catch(() => undefined)) !== undefined)
    throw cairnError(
      'CAIRN-TERRAFORM-STATE',
      `${file} is locked: Terraform is working on it, or was killed while it did`,
      {
        causes: [`the lock is ${lock}`],
        hint: 'Wait until it is done, or remove a stale lock with `terraform force-unlock`.',
      },
    );
  return readFile(place).catch((error: unknown) => {
    throw cairnError(
      'CAIRN-USAGE',
      `cannot read ${file}`,
      {
        causes: [messageOf(error)],
        hint: 'If a backend stores the state, write it to a file with `terraform state pull > terraform.tfstate`.',
      },
      error,
    );
  });
}

/** Returns the providers by their sources. The error names all missing ones at once. */
async function packagesOf(
  prepared: Prepared,
  providers: readonly StateProviderAddress[],
): Promise<ReadonlyMap<string, AdoptingPackage>> {
  const found = new Map<string, AdoptingPackage>();
  const problems: Diagnostic[] = [];
  for (const source of new Set(providers.map((each) => each.source))) {
    try {
      found.set(source, await adoptingPackage({ source, ...placeOf(prepared) }));
    } catch (error) {
      if (!isCairnError(error)) throw error;
      problems.push(...error.diagnostics);
    }
  }
  if (problems.length > 0) throw new CairnError(problems);
  refuseTwins(found);
  return found;
}

/** Refuses two providers of one name, which would be one package. */
function refuseTwins(found: ReadonlyMap<string, AdoptingPackage>): void {
  const byName = new Map<string, string>();
  for (const [source, { name }] of found) {
    const other = byName.get(name);
    if (other !== undefined)
      throw cairnError('CAIRN-TERRAFORM-STATE', `${other} and ${source} would both be the package ${name}`, {
        hint: 'Nothing was changed. Move the resources of one of them to a state of its own with `terraform state mv -state-out`, and import that into another stack.',
      });
    byName.set(name, source);
  }
}

function placeOf({ program, ports }: Prepared) {
  return { cwd: program.programDirectory, env: ports.env };
}

function adopted({ name, version, base }: AdoptingPackage, address: StateProviderAddress): AdoptedProvider {
  return {
    package: {
      package: name,
      version,
      downloadUrl: '',
      checksums: {},
      parameterization: { pluginName: base.name, pluginVersion: base.version, value: base.value },
    },
    name: providerName(address),
  };
}

interface Asked {
  readonly objects: readonly AdoptedObject[];
  readonly problems: readonly Diagnostic[];
  readonly notes: readonly string[];
}

function askProvider(
  prepared: Prepared,
  pkg: AdoptingPackage,
  address: StateProviderAddress,
  provider: number,
  objects: readonly StateObject[],
): Promise<Asked> {
  const settings = providerName(address) === undefined ? settingsOf(prepared, pkg.name) : newMap();
  return withAdopting(pkg, settings, placeOf(prepared), async (adopting) => {
    const ends = await Promise.all(objects.map((each) => askAbout(adopting, each, provider)));
    const unconfigured =
      adopting.unconfigured === undefined
        ? []
        : [
            `${providerText(address)} could not be asked for its plan: ${adopting.unconfigured}. ${settingsHint(pkg, address)}`,
          ];
    return {
      objects: ends.flatMap(({ object }) => object ?? []),
      problems: ends.flatMap(({ problem }) => problem ?? []),
      notes: [...unconfigured, ...ends.flatMap(({ note }) => note ?? [])],
    };
  });
}

function settingsHint({ name }: AdoptingPackage, address: StateProviderAddress): string {
  const own = providerName(address);
  return own === undefined
    ? `A state has no settings of providers: run \`cairn config set ${name}:SETTING VALUE\``
    : `A state has no settings of providers: pass them to "${own}" in the program`;
}

/** Returns the settings in the stack's configuration for a package. */
function settingsOf({ config }: Prepared, name: string): PropertyMap {
  const { values, secretKeys } = config.program;
  const settings = newMap();
  for (const [key, value] of values) {
    if (key.startsWith(`${name}:`))
      settings[key.slice(name.length + 1)] = secretKeys.includes(key) ? secret(value) : value;
  }
  return settings;
}

async function askAbout(
  adopting: AdoptingProvider,
  { address, text, instance, dependencies }: StateObject,
  provider: number,
): Promise<{ readonly object?: AdoptedObject; readonly problem?: Diagnostic; readonly note?: string }> {
  const model = adopting.model.resources.get(address.type);
  if (model === undefined)
    return { problem: refused(text, `the provider ${adopting.client.name} has no ${address.type}`) };
  try {
    const { id, inputs, outputs, differs } = await adoptInstance(adopting, model, text, instance);
    const { token: type } = model;
    const deposed = instance.deposed !== '';
    const object = {
      address: text,
      type,
      name: logicalName(address),
      id,
      inputs,
      outputs,
      provider,
      dependencies,
    };
    const note =
      differs === undefined || deposed
        ? {}
        : { note: `${text} will change, because the state does not match it: ${differs}` };
    return { object: { ...object, tainted: instance.tainted, deposed }, ...note };
  } catch (error) {
    return { problem: refused(text, messageOf(error)) };
  }
}

function refused(address: string, cause: string): Diagnostic {
  return errorDiagnostic('CAIRN-TERRAFORM-STATE', `${address} cannot be taken over`, {
    causes: [cause],
    hint: 'Nothing was changed. Use the version of the provider that wrote the state, or remove the resource from it with `terraform state rm`.',
  });
}
