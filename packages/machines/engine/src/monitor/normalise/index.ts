import type { Urn } from '@cairn/addresses';
import type { RegisterResourceRequest } from '@cairn/wire';
import { goalOf } from '../../model/options.js';
import type { MonitorContext } from '../monitor-context.js';
import { aliases } from './aliases.js';
import { assetHashes } from './asset-hashes.js';
import { customTimeouts } from './custom-timeouts.js';
import { dependencies } from './dependencies.js';
import type { Draft, DraftChanges, NormalisePass } from './draft.js';
import { identity, refuseUnsupported, source } from './identity.js';
import { lateInputs, plainInputs } from './inputs.js';
import { naming } from './naming.js';
import { hooks, inherit, options } from './options.js';
import { packageRef, providerChoice } from './provider-choice.js';
import { providerResource } from './provider-resource.js';
import { recoveryOptions, saidForPlugin } from './recovery-options.js';
import { transforms } from './transforms.js';

/** Passes that turn a request into a goal, in this order. */
const PASSES: readonly NormalisePass[] = [
  /* no part of a request for an unsupported option may take effect */
  refuseUnsupported,
  /* every error after this names the resource */
  identity,
  saidForPlugin,
  /* may change everything but the identity */
  transforms,
  aliases,
  options,
  hooks,
  naming,
  customTimeouts,
  source,
  inherit,
  recoveryOptions,
  dependencies,
  /* before any other pass reads the inputs */
  assetHashes,
  plainInputs,
  lateInputs,
  /* adds to the inputs */
  providerResource,
  packageRef,
  /* needs the package; last, because it may register a default provider, which a bad request must not do */
  providerChoice,
];

/** Runs the passes. Synchronous, unless an asset must be read or a default provider must be registered first. */
export function normalise(request: RegisterResourceRequest, context: MonitorContext): Draft | Promise<Draft> {
  const { type, name, custom } = request;
  const goal = goalOf({ urn: '' as Urn, type, name, custom });
  return runFrom(0, { request, goal, parent: undefined, package: undefined, providers: {} }, context);
}

function runFrom(first: number, draft: OwnDraft, context: MonitorContext): Draft | Promise<Draft> {
  for (let at = first; at < PASSES.length; at++) {
    const findings = (PASSES[at] as NormalisePass)(draft, context);
    if (findings instanceof Promise) return runAfter(findings, at + 1, draft, context);
    join(draft, findings);
  }
  return draft;
}

async function runAfter(
  findings: Promise<DraftChanges>,
  next: number,
  draft: OwnDraft,
  context: MonitorContext,
): Promise<Draft> {
  join(draft, await findings);
  return runFrom(next, draft, context);
}

/** A draft under construction. No other code has a reference to it, so findings are filled in instead of copied. */
type OwnDraft = { -readonly [K in keyof Draft]: Draft[K] };

function join(draft: OwnDraft, findings: DraftChanges | undefined): void {
  if (findings === undefined) return;
  const { request, goal, parent, package: selected, providers } = findings;
  if (request !== undefined) draft.request = request;
  if (goal !== undefined) Object.assign(draft.goal, goal);
  if (parent !== undefined) draft.parent = parent;
  if (selected !== undefined) draft.package = selected;
  if (providers !== undefined) draft.providers = providers;
}
