// The folder that a package is built into. Code and declarations are built apart, and each leaves the other alone.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** For code of CommonJS packages, which asks for modules of Node with `require`. */
const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

/** Writes ES modules that esbuild has made with code of CommonJS packages in them. */
export function writeModules(outputFiles) {
  for (const { path: file, text } of outputFiles) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text.includes('Dynamic require of') ? REQUIRE + text : text);
  }
}

/** Removes code from a folder; declarations stay. */
export function removeCode(dist) {
  removeFiles(dist, (name) => !isDeclaration(name));
}

/** Removes declarations from a folder; code stays. */
export function removeDeclarations(dist) {
  removeFiles(dist, isDeclaration);
}

function isDeclaration(name) {
  return /\.d\.ts(\.map)?$/.test(name);
}

function removeFiles(folder, isUnwanted) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) removeFiles(file, isUnwanted);
    else if (isUnwanted(entry.name)) rmSync(file);
  }
}
