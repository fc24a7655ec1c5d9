/**
 * Differences of our answers from the peer's, with reasons. A line: `at`, a pattern for the place in the record of a
 * step; `cases`, all that have the difference, if it is not expected anywhere else; `when`, a test of the two values;
 * `why`. `npm run peers` fails for a line without a difference, and for a case that no longer has it; only differences
 * in timing may be missing (`sometimes`).
 */

const none = (value) => value === undefined;

/**
 * Tells whether a list of messages has all that the other has, and otherwise only that the whole operation has failed.
 */
const onlyTheWhole = (peer, ours) => {
  const texts = ours.map((one) => JSON.stringify(one));
  const more = peer.filter((one) => !texts.includes(JSON.stringify(one)));
  return (
    peer.length - more.length === ours.length &&
    more.every(({ severity, urn }) => severity === 'error' && none(urn))
  );
};

/** Tells whether the calls are only those that describe a plugin. */
const onlyAbout = (calls) =>
  Object.keys(calls).every((key) => key === '' || key === '-' || key.startsWith('pulumi:providers:'));

/** On purpose, and for good. */
export const DIFFERENCES = [
  {
    at: /^calls \/ .* \/ handshake \/ (acceptsByteString|sendsOldOutputsToCheck|acceptsOutputsIn\w+)$/,
    when: (peer, ours) => none(peer) && ours === true,
    why: 'the provider of the record was on a `@pulumi/pulumi` that does not read this field',
  },
  {
    at: /^calls \/ .* \/ check \/ check \/ oldOutputs$/,
    when: none,
    why: 'the provider of the record was on a `@pulumi/pulumi` that does not read this field',
  },
  {
    at: /^(events|preview) \/ messages \/ order$/,
    when: onlyTheWhole,
    why: 'that the update or the preview as a whole has failed is said by the summary, not by one more error',
  },
  {
    at: /^calls$/,
    when: (peer, ours) => none(ours) && onlyAbout(peer),
    why: 'a provider is started when something is asked of it, not because it is in the state',
  },
  {
    at: /^events \/  \/ summaryEvent \/ summaryEvent \/ maybeCorrupt$/,
    when: (peer, ours) => peer === true && ours === false,
    why: 'a provider that answers that a step has failed has answered: nothing is in doubt',
  },
  {
    at: /resOpFailedEvent \/ status$/,
    when: (peer, ours) => peer > 0 && ours === 0,
    why: 'a provider that answers that a step has failed has answered: nothing is in doubt',
  },
  {
    at: /^state \/ order/,
    why: 'resources that do not need one another are stored in the order in which they ended, which is a matter of time',
  },
  {
    at: /^preview \/ steps \/ .* \/ (create-replacement|replace) \/ newState \/ (created|modified)$/,
    when: (peer, ours) => peer === '<time>' && none(ours),
    why: 'what a preview makes was not made at any time',
  },
  {
    at: /^events \/ .* resOpFailedEvent \/ steps$/,
    cases: ['continue-on-error', 'refresh-fails'],
    sometimes: true,
    why: 'what has ended before a step fails is a matter of time',
  },
  {
    at: /^(events|preview) \/ messages \/ \d+ \/ (urn|about)$/,
    cases: ['assets'],
    why: 'an asset that cannot be read is told with the resource that has it',
  },
  {
    at: /^(preview|events|calls) \/ (changeSummary|steps|probe:index:Thing::b|.*summaryEvent)/,
    cases: ['check-fails'],
    why: 'a refused check does not keep a preview from looking at the other resources: all refusals are told at once',
  },
  {
    at: /shop:index:Group::g \/ resOutputsEvent update \/ .* \/ new \/ outputs/,
    cases: ['component'],
    why: 'until the program registers outputs of a component anew, it has those that it had',
  },
  {
    at: /resOpFailedEvent (create|update) \/ resOpFailedEvent \/ metadata \/ new/,
    cases: ['create-partly', 'update-fails'],
    why: 'a step that has failed is told as it was begun; what is left of it stands in the state',
  },
  {
    at: /probe:index:Thing::b \/ (.* create-replacement \/ .* \/ keys|create-replacement \/ replaceReasons)$/,
    cases: ['delete-before-replace', 'delete-first'],
    why: 'a resource that goes with another has no keys of its own; `cairn.why` tells which of its inputs come from there',
  },
  {
    at: /^text$/,
    cases: ['exotic-values'],
    when: (peer, ours) => peer === ours.replace(/='(urn:[^']*)'/g, '=$1'),
    why: 'every text for shells is quoted, also one that needs no quotes',
  },
  {
    at: /^config$/,
    cases: ['config-removals'],
    when: (peer, ours) => peer === ours.replaceAll('"y"', 'y'),
    why: 'a text that YAML 1.1 takes for a truth value keeps its quotes when something else of the list is removed',
  },
  {
    at: /(resourcePreEvent import|resOpFailedEvent import)(-replacement)? \/ .* \/ new \/ inputs/,
    cases: ['import-option', 'import-refused'],
    why: 'inputs of an import are told once the object has been read and they were compared with it',
  },
  {
    at: /^calls \/ pulumi:providers:probe::\w+ \/ order$/,
    cases: ['names-verbatim-provider', 'provider-config', 'provider-option'],
    when: (peer, ours) => peer.length === ours.length + 1 && peer.at(-1) === 'configure',
    why: 'a preview does not configure a replaced provider with values that it will only have later',
  },
  {
    at: /^events \/ probe:index:Thing::b$/,
    cases: ['target-creates'],
    when: (_, ours) => none(ours),
    why: 'nothing is told of a resource that is not there and that the targets leave out',
  },
  {
    at: /(resourceChanges|changeSummary) \/ same$/,
    cases: ['target-creates'],
    why: 'the other tool counts what is not there and what the targets leave out as unchanged',
  },
  {
    at: /^preview \/ steps \/ probe:index:Thing::a \/ read \/ newState \/ (created|modified)$/,
    cases: ['created-then-read'],
    why: 'what was created and is only read from now on keeps its times in our preview until it has been read',
  },
  {
    at: /^(events \/ probe:index:Thing::a( \/ order)?|events \/ {2}\/ summaryEvent \/ .* \/ same)$/,
    cases: ['run-program-skipped', 'run-program-vanished'],
    why: 'nothing is told of what a refresh with the program would have to make, nor is it counted as unchanged',
  },
  {
    at: /^events \/ probe:index:Thing::\w \/ resourcePreEvent refresh \/ .* \/ new \/ (id|inputs|outputs)/,
    cases: ['run-program-skipped', 'run-program-vanished'],
    why: 'what is about to be looked up is told as the state has it',
  },
  {
    at: /^events \/ pulumi:(providers:probe::default|pulumi:Stack::shop-dev) \/ order$/,
    cases: ['run-program-skipped', 'run-program-vanished'],
    when: (peer, ours) => peer.slice(2).join() === ours.join(),
    why: 'nobody is asked about providers and the stack itself, so no look-up of theirs is told',
  },
  {
    at: /^state \/ resources \/ probe:index:Thing::b \/ (sourcePosition|stackTrace)/,
    cases: ['run-program-skipped'],
    why: 'a look-up alone does not change where the program has registered a resource; the next up does',
  },
  {
    at: /^(state \/ resources|events) \/ probe:index:Thing::(b|other)$/,
    cases: ['renamed-beside-pending-delete'],
    why: 'a resource out of scope that has another name now gets it in the state; the other tool keeps the old name until it is a target',
  },
  {
    at: /^(events \/ probe:index:Thing::a|(preview|events \/ {2}\/ summaryEvent) \/ .* ?\/? ?same)$/,
    cases: ['renamed-beside-pending-delete'],
    why: 'what waits to be deleted is no unchanged resource',
  },
  {
    at: /probe:index:Part::part \/ (created|modified)$/,
    cases: ['view-delete-fails', 'views'],
    when: (peer, ours) => none(peer) && ours === '<time>',
    why: 'views have times as other resources have',
  },
  {
    at: /probe:index:Part::part \/ .* \/ old \/ delete$/,
    cases: ['views'],
    why: 'the old record of a view has made room for the new one already: none of it is left to be deleted',
  },
  {
    at: /^(state \/ resources \/ .*Part::part \(on its way out\)|events \/ .* (update|steps|order))$/,
    cases: ['views'],
    why: 'a view of which the provider says that it could not be deleted fails its resource; the other tool keeps its old record beside the new one, and its next destroy then writes a state that is not consistent',
  },
  {
    at: /^(state|events \/ (probe:index:Viewed::a|messages) \/ order)$/,
    cases: ['view-delete-fails'],
    why: 'a delete that failed is told as failed, with what the provider said of the resource and of its view; the other tool leaves it as pending, with the words about the view alone',
  },
  {
    at: /^calls \/ pulumi:providers:probe::p \/ configure /,
    cases: ['names-verbatim-provider'],
    sometimes: true,
    why: 'which of the old and the new provider is configured first is a matter of time',
  },
];
