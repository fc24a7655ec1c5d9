/** Prints a table in Markdown. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  console.log([line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'));
  console.log();
}
