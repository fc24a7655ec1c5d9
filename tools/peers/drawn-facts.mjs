// What counts in the answers to a drawn case. Pure.

/** Calls of a provider itself, or of no resource. Tools start providers when they need them. */
const OF_PROVIDER = /^(|-|pulumi:providers:.*)$/;
/** Members that depend on the times of steps, or on where a program was when it registered a resource. */
const PASSING = ['sourcePosition', 'stackTrace', 'created', 'modified'];

/**
 * Returns two records with what can be compared: exit codes, whole states, calls about resources, and counts and plans
 * of changes. They end before the first step that failed on both sides.
 */
export function comparable(peer, ours) {
  const failed = peer.steps.findIndex(({ code }, index) => code !== 0 && ours.steps[index].code !== 0);
  const end = failed < 0 ? peer.steps.length : failed;
  return [peer, ours].map((record) => {
    let kept = {};
    const steps = record.steps.slice(0, end).map((step) => {
      kept = wholeState(step.state?.resources ?? kept, kept);
      const { code, errors, calls = {}, events = {}, preview = {}, state } = step;
      return {
        ...{ code, errors, pending: state?.pending, resources: plainState(kept) },
        calls: Object.fromEntries(Object.entries(calls).filter(([name]) => !OF_PROVIDER.test(name))),
        changes: changesOf(events),
        plan: Object.entries(preview.steps ?? {}).map(planOf),
      };
    });
    return { name: record.name, steps };
  });
}

/** Entries that are as they were are `=` in a record. */
function wholeState(resources, before) {
  return Object.fromEntries(
    Object.entries(resources).map(([name, entry]) => [name, entry === '=' ? before[name] : entry]),
  );
}

/** Leaves out what passes. Dependencies have no order, and a property without any may have an empty list, or none. */
function plainState(resources) {
  return Object.fromEntries(Object.entries(resources).map(([name, entry]) => [name, plainEntry(entry)]));
}

function plainEntry({ dependencies = [], propertyDependencies = {}, ...entry }) {
  for (const member of PASSING) delete entry[member];
  const needs = Object.entries(propertyDependencies).filter(([, urns]) => urns?.length > 0);
  return {
    ...entry,
    dependencies: [...dependencies].sort(),
    propertyDependencies: Object.fromEntries(needs.map(([name, urns]) => [name, [...urns].sort()])),
  };
}

/** Counts of the summary, but for unchanged resources: tools count those differently that an operation leaves out. */
function changesOf(events) {
  const summary = Object.values(events)
    .flat()
    .find((event) => event.summaryEvent !== undefined);
  const { same: _, ...changes } = summary?.summaryEvent.resourceChanges ?? {};
  return changes;
}

/** Steps of a resource, with the inputs that differ, in any order. */
function planOf([name, steps]) {
  return [
    name,
    steps.map(({ op, diffReasons = [], replaceReasons = [] }) => [
      op,
      [...diffReasons].sort(),
      [...replaceReasons].sort(),
    ]),
  ];
}
