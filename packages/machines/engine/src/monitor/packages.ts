import { createHash } from 'node:crypto';
import type { Extension } from '@cairn/state';
import { StatusError } from '@cairn/wire';
import type { DerivedPackage, PackageSelector, RegisterPackageRequest, RequiredPackage } from '@cairn/wire';
import semver from 'semver';
import { anyPackage } from '../providers/package-request.js';
import type { PackageRequest } from '../providers/package-request.js';
import { invalid } from './refusal.js';

/** Packages that a program may request: those it registered, and those its dependencies name. */
export class KnownPackages {
  readonly #byRef = new Map<string, PackageRequest>();
  readonly #refs = new Map<string, string>();
  readonly #required = new Map<string, PackageRequest>();
  readonly #newId: () => string;
  /** Called with every registered extension, before its reference is returned. */
  readonly #learn: (ref: string, extension: Extension) => void;

  constructor(
    required: readonly RequiredPackage[],
    newId: () => string,
    learn: (ref: string, extension: Extension) => void = () => {},
  ) {
    this.#newId = newId;
    this.#learn = learn;
    for (const candidate of required.map(requiredPackage)) {
      const known = this.#required.get(candidate.package);
      if (known === undefined || isNewer(candidate.version, known.version)) {
        this.#required.set(candidate.package, candidate);
      }
    }
  }

  /** Registers a package. A package that was registered before keeps its reference [PKG-1]. */
  register(request: RegisterPackageRequest): string {
    const { name, version, downloadUrl, parameterization, extension } = request;
    if (name === '') throw invalid('a package that is registered needs a name');
    checkVersion(version, `package ${name}`);
    if (extension !== undefined) return this.#extend(request, extension);
    if (parameterization !== undefined)
      checkVersion(parameterization.version, `package ${parameterization.name}`);
    const checksums = hexChecksums(request.checksums);
    const content = JSON.stringify([
      name,
      version,
      downloadUrl,
      Object.entries(checksums).sort(),
      parameterization && [parameterization.name, parameterization.version, hex(parameterization.value)],
    ]);
    const known = this.#refs.get(content);
    if (known !== undefined) return known;
    const ref = this.#newId();
    this.#refs.set(content, ref);
    this.#byRef.set(ref, parameterized({ name, version, downloadUrl, checksums, parameterization }));
    return ref;
  }

  /**
   * Registers the base plugin unchanged, with an extension that its resources need. The reference is derived from the
   * extension's content [PKG-3].
   */
  #extend(request: RegisterPackageRequest, extension: DerivedPackage): string {
    const { name, version, downloadUrl, parameterization } = request;
    if (parameterization !== undefined)
      throw invalid(`package ${name} is registered both as a parameterization and as an extension`);
    checkVersion(extension.version, `package ${extension.name}`);
    const ref = extensionReference(extension);
    if (this.#byRef.has(ref)) return ref;
    this.#learn(ref, extension);
    const checksums = hexChecksums(request.checksums);
    const base = parameterized({ name, version, downloadUrl, checksums, parameterization: undefined });
    this.#byRef.set(ref, { ...base, extensionRef: ref });
    return ref;
  }

  /**
   * Returns the package of a resource or call: a registered one, or else the given fields, completed by the program's
   * dependencies [PROV-2].
   */
  select(pkg: string, selector: PackageSelector): PackageRequest {
    if (selector.packageRef !== '') return this.#registered(selector.packageRef);
    const { version, pluginDownloadUrl: downloadUrl } = selector;
    checkVersion(version, pkg);
    const required = this.#required.get(pkg) ?? anyPackage(pkg);
    const checksums = hexChecksums(selector.pluginChecksums);
    return {
      package: pkg,
      version: version || required.version,
      downloadUrl: downloadUrl || required.downloadUrl,
      checksums: Object.keys(checksums).length > 0 ? checksums : required.checksums,
      parameterization: required.parameterization,
    };
  }

  /** Returns the given fields of an explicit provider's plugin, and only those. */
  said(pkg: string, selector: PackageSelector): PackageRequest {
    if (selector.packageRef !== '') return this.#registered(selector.packageRef);
    const { version, pluginDownloadUrl: downloadUrl } = selector;
    checkVersion(version, pkg);
    return { ...anyPackage(pkg), version, downloadUrl, checksums: hexChecksums(selector.pluginChecksums) };
  }

  /** Returns a package as the program's dependencies require it. */
  required(pkg: string): PackageRequest | undefined {
    return this.#required.get(pkg);
  }

  #registered(ref: string): PackageRequest {
    const known = this.#byRef.get(ref);
    if (known === undefined) throw invalid(`unknown provider package '${ref}'`);
    return known;
  }
}

function requiredPackage({ name, version, server, parameterization }: RequiredPackage): PackageRequest {
  return parameterized({ name, version, downloadUrl: server, checksums: {}, parameterization });
}

interface BasePackage {
  readonly name: string;
  readonly version: string;
  readonly downloadUrl: string;
  readonly checksums: Readonly<Record<string, string>>;
  readonly parameterization:
    { readonly name: string; readonly version: string; readonly value: Uint8Array } | undefined;
}

/** Returns the reference of an extension: the SHA-256 of name, version and value, in hexadecimal [PKG-1]. */
function extensionReference({ name, version, value }: DerivedPackage): string {
  return createHash('sha256').update(`${name}\0${version}\0`).update(value).digest('hex');
}

/** Returns the package of a base plugin, or the one it is parameterized to. */
function parameterized({
  name,
  version,
  downloadUrl,
  checksums,
  parameterization,
}: BasePackage): PackageRequest {
  if (parameterization === undefined) {
    return { package: name, version, downloadUrl, checksums, parameterization: undefined };
  }
  return {
    package: parameterization.name,
    version: parameterization.version,
    downloadUrl,
    checksums,
    parameterization: { pluginName: name, pluginVersion: version, value: parameterization.value },
  };
}

/** Checks a version: a strict semantic version, or empty [REG-18]. */
function checkVersion(version: string, what: string): void {
  if (version === '' || (/^\d/.test(version) && semver.valid(version) !== null)) return;
  throw new StatusError(
    'INVALID_ARGUMENT',
    `version ${JSON.stringify(version)} of ${what} is not a semantic version`,
  );
}

function isNewer(version: string, than: string): boolean {
  const parsed = semver.parse(version);
  const other = semver.parse(than);
  return parsed !== null && (other === null || semver.gt(parsed, other));
}

export function hexChecksums(
  checksums: Readonly<Record<string, Uint8Array>>,
): Readonly<Record<string, string>> {
  const keys = Object.keys(checksums);
  if (keys.length === 0) return {};
  return Object.fromEntries(keys.map((key) => [key, hex(checksums[key] as Uint8Array)]));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
