import type { View, ViewOp, ViewStep } from '../contracts/resource-status.js';
import { StatusError } from '../contracts/status.js';
import type { View as WireView } from '../generated/pulumi/provider.js';
import * as pb from '../generated/pulumi/resource_status.js';
import { decodeDetails, encodeDetails } from '../provider/diff-response.js';
import { decodeStruct, encodeStruct } from '../values/index.js';

const OPS = {
  same: pb.ViewStep_Op.SAME,
  create: pb.ViewStep_Op.CREATE,
  update: pb.ViewStep_Op.UPDATE,
  delete: pb.ViewStep_Op.DELETE,
  replace: pb.ViewStep_Op.REPLACE,
  'create-replacement': pb.ViewStep_Op.CREATE_REPLACEMENT,
  'delete-replaced': pb.ViewStep_Op.DELETE_REPLACED,
  read: pb.ViewStep_Op.READ,
  'read-replacement': pb.ViewStep_Op.READ_REPLACEMENT,
  refresh: pb.ViewStep_Op.REFRESH,
  'read-discard': pb.ViewStep_Op.READ_DISCARD,
  'discard-replaced': pb.ViewStep_Op.DISCARD_REPLACED,
  'remove-pending-replace': pb.ViewStep_Op.REMOVE_PENDING_REPLACE,
  import: pb.ViewStep_Op.IMPORT,
  'import-replacement': pb.ViewStep_Op.IMPORT_REPLACEMENT,
} as const satisfies Record<ViewOp, pb.ViewStep_Op>;

const STATUSES = {
  ok: pb.ViewStep_Status.OK,
  'partial-failure': pb.ViewStep_Status.PARTIAL_FAILURE,
  unknown: pb.ViewStep_Status.UNKNOWN,
} as const satisfies Record<ViewStep['status'], pb.ViewStep_Status>;

const opByNumber = new Map<number, ViewOp>(Object.entries(OPS).map(([op, number]) => [number, op as ViewOp]));
const statusByNumber = new Map<number, ViewStep['status']>(
  Object.entries(STATUSES).map(([status, number]) => [number, status as ViewStep['status']]),
);

/** Encodes a step of a view. */
export function encodeViewStep(step: ViewStep): pb.ViewStep {
  return {
    status: STATUSES[step.status],
    error: step.error,
    op: OPS[step.op],
    type: step.type,
    name: step.name,
    old: step.old && encodeView(step.old),
    new: step.new && encodeView(step.new),
    keys: [...step.keys],
    diffs: [...step.diffs],
    detailedDiff: encodeDetails(step.detailedDiff ?? {}),
    hasDetailedDiff: step.detailedDiff !== undefined,
  };
}

/** Decodes a step of a view. Refuses an unknown op or status. */
export function decodeViewStep(wire: pb.ViewStep): ViewStep {
  const op = opByNumber.get(wire.op);
  const status = statusByNumber.get(wire.status);
  if (op === undefined)
    throw new StatusError('INVALID_ARGUMENT', `the step of the view "${wire.name}" has no operation`);
  if (status === undefined)
    throw new StatusError('INVALID_ARGUMENT', `the step of the view "${wire.name}" has an unknown status`);
  return {
    status,
    error: wire.error,
    op,
    type: wire.type,
    name: wire.name,
    old: wire.old && decodeView(wire.old),
    new: wire.new && decodeView(wire.new),
    keys: wire.keys,
    diffs: wire.diffs,
    detailedDiff: wire.hasDetailedDiff ? decodeDetails(wire.detailedDiff) : undefined,
  };
}

/** Encodes a view. */
export function encodeView({ type, name, parentType, parentName, inputs, outputs }: View): WireView {
  return {
    type,
    name,
    parentType,
    parentName,
    inputs: encodeStruct(inputs),
    outputs: encodeStruct(outputs),
  };
}

/** Decodes a view. */
export function decodeView(wire: WireView | pb.ViewStepState): View {
  const { type, name, parentType, parentName, inputs, outputs } = wire;
  return { type, name, parentType, parentName, inputs: decodeStruct(inputs), outputs: decodeStruct(outputs) };
}
