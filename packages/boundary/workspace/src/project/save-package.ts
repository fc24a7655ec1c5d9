import { isNode, parseDocument } from 'yaml';
import { editTextFile } from '@cairn/files';
import type { ProjectLocation } from './project.js';

/** Source of a package in the form of the project file. */
export interface RecordedPackage {
  /** A name, or a path relative to the project's directory. */
  readonly source: string;
  readonly version?: string | undefined;
  readonly parameters?: readonly string[] | undefined;
}

/**
 * Writes the source of a package under `packages`. The rest of the file, including comments, remains. Returns true if
 * the file changed.
 */
export async function savePackage(
  location: ProjectLocation,
  name: string,
  recorded: RecordedPackage,
): Promise<boolean> {
  const inFile = location.extension === 'json' ? inJson : inYaml;
  let changed = false;
  await editTextFile(location.file, { mode: 0o644, keepMode: true }, (before = '') => {
    const text = inFile(before, name, recorded);
    changed = text !== before;
    return text;
  });
  return changed;
}

/** Returns the short form if it is sufficient, else a map. `known` is the file's entry, of which the rest remains. */
function valueOf({ source, version, parameters = [] }: RecordedPackage, known: unknown): unknown {
  const rest = restOf(known, source, version);
  if (parameters.length === 0 && Object.keys(rest).length === 0)
    return version === undefined ? source : `${source}@${version}`;
  return {
    source,
    ...(version !== undefined && { version }),
    ...(parameters.length > 0 && { parameters }),
    ...rest,
  };
}

/** Returns the other keys of an entry for the same source: the download location, and checksums of the same version. */
function restOf(known: unknown, source: string, version: string | undefined): object {
  if (typeof known !== 'object' || known === null) return {};
  const {
    source: before,
    version: old,
    parameters: _,
    checksums,
    ...rest
  } = known as Record<string, unknown>;
  if (before !== source) return {};
  return { ...rest, ...(checksums !== undefined && old === version && { checksums }) };
}

function inYaml(text: string, name: string, recorded: RecordedPackage): string {
  const document = parseDocument(text);
  const node: unknown = document.getIn(['packages', name]);
  const known: unknown = isNode(node) ? node.toJSON() : node;
  const value = valueOf(recorded, known);
  if (JSON.stringify(known) === JSON.stringify(value)) return text;
  document.setIn(['packages', name], document.createNode(value));
  return document.toString({ lineWidth: 0 });
}

function inJson(text: string, name: string, recorded: RecordedPackage): string {
  const file = JSON.parse(text) as { packages?: Record<string, unknown> };
  const value = valueOf(recorded, file.packages?.[name]);
  if (JSON.stringify(file.packages?.[name]) === JSON.stringify(value)) return text;
  return `${JSON.stringify({ ...file, packages: { ...file.packages, [name]: value } }, undefined, 2)}\n`;
}
