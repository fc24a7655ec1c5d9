import { findSourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { SourcePosition } from '@cairn/wire';

/** A place in a loaded module, before source maps. */
export interface CallSite {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Name of the function that constructs a class which is loaded on first use: not a place in a program. */
const STAND_IN = 'constructedByStandIn';

/**
 * Returns the caller of `below`, a function or class. Reads two frames at most and no text, so that every resource can
 * afford it. Undefined for code without a file. For a class with a static `get`, returns the caller of that.
 */
export function callerOf(below: object): CallSite | undefined {
  const get = (below as { readonly get?: unknown }).get;
  const frames = typeof get === 'function' ? framesBelow(get, 2) : [];
  const [frame] = (frames.length > 0 ? frames : framesBelow(below, 2)).filter(
    (each) => each.getFunctionName() !== STAND_IN,
  );
  return frame && siteOf(frame);
}

/** Address of this package. Empty if it is part of a bundle without module addresses. */
const OWN = String(import.meta.url).replace(/\/(?:src|dist)\/(?!.*\/(?:src|dist)\/).*$/, '/');
/** Frames read above an invoke: those of the package, of generated code, and of the program. */
const ASKED_THROUGH = 8;

/**
 * Returns the place where the program makes an invoke. `below` may have been called through this package and through
 * generated ones. Undefined if no frame near it belongs to the program.
 */
export function askedFrom(below: object): CallSite | undefined {
  for (const frame of framesBelow(below, ASKED_THROUGH)) {
    const site = siteOf(frame);
    if (site !== undefined && !isOfPackage(site.file)) return site;
  }
  return undefined;
}

function isOfPackage(file: string): boolean {
  if (/^node:|[\\/](?:node_modules|sdks)[\\/]/.test(file)) return true;
  return (file.startsWith('file:') ? file : pathToFileURL(file).href).startsWith(OWN);
}

function siteOf(frame: NodeJS.CallSite): CallSite | undefined {
  const file = frame.getFileName();
  if (file === null || file === undefined) return undefined;
  return { file, line: frame.getLineNumber() ?? 0, column: frame.getColumnNumber() ?? 0 };
}

/** Returns the callers of `below`, innermost first. Empty if `below` is not running. */
function framesBelow(below: object, limit: number): readonly NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = limit;
    Error.prepareStackTrace = (_error, frames) => frames;
    Error.captureStackTrace(holder, below as () => void);
    return holder.stack as readonly NodeJS.CallSite[];
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Returns the place in the program's own source in the monitor's form, with source maps applied. Undefined for anything
 * but files.
 */
export function sourcePosition(site: CallSite | undefined): SourcePosition | undefined {
  if (site === undefined) return undefined;
  const { file, line, column } = site;
  // Programs declare many resources in one line.
  if (latest?.site.file === file && latest.site.line === line && latest.site.column === column)
    return latest.position;
  const position = positionOf(site);
  latest = { site, position };
  return position;
}

let latest: { readonly site: CallSite; readonly position: SourcePosition | undefined } | undefined;

function positionOf({ file, line, column }: CallSite): SourcePosition | undefined {
  const uri = file.startsWith('file:')
    ? file
    : file.startsWith('/') || /^[A-Za-z]:[\\/]/.test(file)
      ? pathToFileURL(file).href
      : undefined;
  if (uri === undefined) return undefined;
  const mapped = findSourceMap(file)?.findOrigin(line, column);
  if (mapped !== undefined && 'fileName' in mapped) {
    return { uri: new URL(mapped.fileName, uri).href, line: mapped.lineNumber, column: mapped.columnNumber };
  }
  return { uri, line, column };
}

/** Returns `<file>:<line>:<column>` for messages. */
export function positionText(position: SourcePosition | undefined): string | undefined {
  if (position === undefined) return undefined;
  return `${decodeURIComponent(new URL(position.uri).pathname)}:${position.line}:${position.column}`;
}
