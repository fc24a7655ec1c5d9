import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/**
 * Returns the imports between the files of a folder, by value or by type: path in the folder to paths in it. Throws if
 * an import leads nowhere.
 */
export function importGraph(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => /\.m?ts$/.test(file) && !file.endsWith('.d.ts'));
  return new Map(files.map((file) => [file, importsOf(folder, file)]));
}

function importsOf(folder, file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(path.join(folder, file), 'utf8'), true, true);
  const relative = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
  return relative.flatMap((name) => {
    const found = path.posix.join(path.posix.dirname(file), name.replace(/\.(m?)js$/, '.$1ts'));
    if (found.startsWith('..')) return [];
    if (!existsSync(path.join(folder, found))) throw new Error(`${file} imports ${name}, which is not there`);
    return [found];
  });
}

/**
 * Returns the circles of a graph, each as its sorted members: nodes that reach each other. Tarjan's algorithm, O(V+E).
 */
export function circles(graph) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1 || (graph.get(node) ?? []).includes(node)) found.push(circle.sort());
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}

/** Returns the imports between direct children of the folder: `from -> to` to the files concerned, `file -> file`. */
export function arrows(graph) {
  const top = (file) => file.split('/')[0];
  const found = new Map();
  for (const [file, imports] of graph) {
    for (const other of imports) {
      if (top(file) === top(other)) continue;
      const arrow = `${top(file)} -> ${top(other)}`;
      found.set(arrow, [...(found.get(arrow) ?? []), `${file} -> ${other}`]);
    }
  }
  return found;
}
