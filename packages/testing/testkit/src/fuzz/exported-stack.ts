import {
  isDefaultProviderName,
  isProviderType,
  providerTypePackage,
  tokenPackage,
  urnName,
  urnParts,
} from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { decodeSnapshot, emptySnapshot, readUntypedDeployment } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import type { WantedResource } from './fuzz-case.js';
import { FUZZ_HOME } from './prior-snapshot.js';

/** The stack of an exported snapshot: its name, its packages, and the program that would create it. */
export interface ExportedStack {
  readonly identity: { readonly organization: string; readonly project: string; readonly stack: string };
  readonly packages: readonly string[];
  readonly program: readonly WantedResource[];
}

/**
 * Returns the snapshot of an exported deployment. Secrets are taken encrypted, because they cannot be decrypted here.
 */
export function snapshotOf(text: string): Snapshot {
  const asTheyAre = {
    encrypt: (plain: string) => plain,
    decrypt: (sealed: string) => JSON.stringify(sealed),
  };
  const { deployment } = readUntypedDeployment(text, 'the exported stack');
  return deployment === undefined
    ? emptySnapshot
    : decodeSnapshot(deployment, asTheyAre, 'the exported stack');
}

/** Reads a stack from its snapshot. Project and stack are those of its first resource. */
export function exportedStack(snapshot: Snapshot): ExportedStack {
  const first = snapshot.resources[0];
  const { project, stack } = first === undefined ? FUZZ_HOME : urnParts(first.urn);
  const packages = new Set(['pkgA', 'pkgB']);
  const positions = new Map<Urn, number>();
  const program: WantedResource[] = [];
  for (const entry of snapshot.resources) {
    if (entry.custom) packages.add(packageOf(entry));
    if (entry.delete || entry.type === 'pulumi:pulumi:Stack' || isDefaultProvider(entry)) continue;
    program.push(wantedOf(entry, program.length, (urn) => positions.get(urn)));
    positions.set(entry.urn, program.length - 1);
  }
  return {
    identity: { organization: 'organization', project, stack },
    packages: [...packages],
    program,
  };
}

function wantedOf(
  entry: ResourceEntry,
  name: number,
  position: (urn: Urn) => number | undefined,
): WantedResource {
  const at = (urn: Urn | undefined) => (urn === undefined ? undefined : position(urn));
  const own = entry.external ? 'read' : isProviderType(entry.type) ? 'provider' : 'custom';
  return {
    name,
    as: { name: urnName(entry.urn), type: entry.type },
    renamed: false,
    kind: entry.custom ? own : 'component',
    pkg: entry.custom ? packageOf(entry) : 'pkgA',
    update: 0,
    replace: 0,
    deleteFirst: undefined,
    protect: entry.protect,
    retain: entry.retainOnDelete,
    ignoreUpdate: false,
    promoteUpdate: false,
    trigger: undefined,
    imported: false,
    deps: entry.dependencies.flatMap((urn) => position(urn) ?? []),
    from: undefined,
    bound: undefined,
    parent: at(entry.parent),
    deletedWith: at(entry.deletedWith),
    replaceWith: at(entry.replaceWith[0]),
    provider: undefined,
  };
}

function packageOf({ type }: ResourceEntry): string {
  return isProviderType(type) ? (providerTypePackage(type) ?? type) : tokenPackage(type);
}

function isDefaultProvider({ type, urn }: ResourceEntry): boolean {
  return isProviderType(type) && isDefaultProviderName(urnName(urn));
}
