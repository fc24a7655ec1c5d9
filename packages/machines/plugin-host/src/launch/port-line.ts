/** Reading of a plugin's first line of output [PLUG-4]. */
type PortLine =
  | { readonly t: 'incomplete'; readonly text: string }
  | { readonly t: 'port'; readonly port: number; readonly rest: string }
  | { readonly t: 'junk'; readonly line: string };

/** Characters to read before a first line without an end counts as junk. */
const LONGEST_LINE = 4_096;

/** Terminal progress reports that some tools write before anything else. */
const PROGRESS = /\u001b\]9;4;[03];\u001b\\/g;

/**
 * Reads the start of a plugin's output: a decimal port from 1 to 65535 on a line of its own. Blanks around it are
 * allowed.
 */
export function readPortLine(output: string): PortLine {
  const end = output.indexOf('\n');
  if (end < 0 && output.length < LONGEST_LINE) return { t: 'incomplete', text: output };
  const line = (end < 0 ? output : output.slice(0, end)).replace(PROGRESS, '').trim();
  const port = /^\d{1,5}$/.test(line) ? Number(line) : 0;
  if (end < 0 || port < 1 || port > 65_535) return { t: 'junk', line: line.slice(0, 200) };
  return { t: 'port', port, rest: output.slice(end + 1) };
}
