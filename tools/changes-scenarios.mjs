#!/usr/bin/env node
/**
 * Lists which test shows which scenario of the change machine: fills in the last column of the table of
 * docs/maintainers/changes-scenarios.md from the titles of the tests. With `--check`, tells whether it is up to date
 * and every scenario is accounted for. The ids and their subjects are in the table itself.
 */
import { linkTo, scenarioPage } from './scenarios.mjs';

scenarioPage({
  file: 'maintainers/changes-scenarios.md',
  tool: 'tools/changes-scenarios.mjs',
  id: /\bCH-\d{3}\b/g,
  all: 192,
  table: (shown, before) => {
    const listed = [...before.matchAll(/^\| (CH-\d{3}) \| (.*?) \|/gm)];
    const known = new Set(listed.map(([, id]) => id));
    const strange = [...new Set([...shown.values()].flat())].filter((id) => !known.has(id));
    if (strange.length > 0) throw new Error(`ids that the table does not know: ${strange.join(' ')}`);
    const rows = listed.map(([, id, title]) => {
      const files = [...shown].filter(([, ids]) => ids.includes(id)).map(([file]) => linkTo(file));
      return `| ${id} | ${title} | ${files.join(', ') || 'left out'} |`;
    });
    return ['| id | scenario | shown by |', '| --- | --- | --- |', ...rows].join('\n');
  },
});
