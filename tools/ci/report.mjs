// Tables of what a run of CI has taken, and its comparison with the budget.

const SLOWEST = 20;
const MOST_FAILURES = 20;
const LINES_OF_FAILURE = 25;
const LAST_LINES_OF_LANE = 12;

/** Sums of a run: seconds that passed and of processors, commands, tests. */
export function totalsOf(results, wall) {
  const sum = (of) => results.reduce((total, result) => total + (of(result) ?? 0), 0);
  return {
    wall,
    processor: sum(({ processor }) => processor),
    commands: sum(({ commands }) => commands),
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
  };
}

/** The table of lanes, those first that took most of the processors. */
export function laneTable(results, totals, budgets) {
  const budgetOf = (name) => budgets.lanes[name];
  const row = (name, { wall, processor, commands }, budget, end) => [
    ...[name, seconds(wall), seconds(processor), seconds(budget), ratio(processor, budget)],
    ...[String(commands), end],
  ];
  const byProcessor = [...results].sort((a, b) => (b.processor ?? 0) - (a.processor ?? 0));
  return table(
    ['lane', 'wall s', 'processor s', 'budget s', 'ratio', 'commands', 'end'],
    [
      ...byProcessor.map((each) => row(each.name, each, budgetOf(each.name), endOf(each))),
      row('all', totals, budgets.processorSeconds, `${totals.passed} passed, ${totals.failed} failed`),
    ],
  );
}

/** The slowest test files of all lanes, by the time that they took. */
export function slowestFiles(results) {
  const files = results.flatMap(({ name, files = [] }) => files.map((each) => ({ ...each, lane: name })));
  const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  return table(
    ['test file', 'lane', 'wall s', 'tests'],
    slowest.map(({ file, lane, seconds: each, tests }) => [file, lane, seconds(each), String(tests)]),
  );
}

/** Lanes that failed and report no tests: the last output of each. */
export function failedLanes(results) {
  return results
    .filter(({ failed, failures = [], output }) => failed > 0 && failures.length === 0 && output !== '')
    .map(({ name, output }) => {
      const lines = output.trim().split('\n').slice(-LAST_LINES_OF_LANE);
      return [`\nfailed: ${name}`, ...lines.map((line) => `  ${line}`), ''].join('\n');
    })
    .join('');
}

/**
 * Returns each test that failed with the first lines of its message, or nothing. The last lines are read first. `word`:
 * of the line that names a test.
 */
export function failedTests(failures, word = 'failed') {
  const shown = failures.slice(0, MOST_FAILURES).map(({ file, test, message }) => {
    const lines = message.trim().split('\n').slice(0, LINES_OF_FAILURE);
    return [`\n${word}: ${file}: ${test}`, ...lines.map((line) => `  ${line}`)].join('\n');
  });
  const left = failures.length - shown.length;
  return [...shown, ...(left > 0 ? [`\nand ${left} more`] : [])].map((text) => `${text}\n`).join('');
}

/**
 * Returns why a run has taken more of the processors than its budget allows, or undefined. The budget is that of
 * another machine: `unit` says how fast this one is. A run in which lanes have
 * failed is not judged: it may have ended early.
 */
export function overBudget(totals, budgets) {
  const budget = (budgets.processorSeconds * totals.unit) / budgets.unitSeconds;
  if (totals.failed > 0 || totals.processor <= budget * (1 + budgets.tolerance)) return undefined;
  const percent = Math.round((totals.processor / budget - 1) * 100);
  return (
    `${Math.round(totals.processor)} s of processor are ${percent} % above the budget, ${Math.round(budget)} s here ` +
    '(tools/ci/budgets.json). Find what grew in the table, or record a new budget with its reason.'
  );
}

function endOf({ skipped, failed, code }) {
  if (skipped !== undefined) return `not run: ${skipped}`;
  return failed === 0 ? 'ok' : `FAILED (${code === 124 ? 'no end' : `exit code ${code}`})`;
}

const seconds = (value) => (value === undefined ? '-' : String(Math.round(value)));
const ratio = (value, budget) =>
  value === undefined || budget === undefined ? '-' : (value / budget).toFixed(2);

/** A table in Markdown. */
function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
