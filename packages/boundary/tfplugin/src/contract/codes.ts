/** Kind of violation of a finding. Each has a code of its own among the errors of Cairn. */
export type ViolationKind =
  'plan' | 'final-plan' | 'result' | 'object' | 'import' | 'newer-state' | 'deferred';

interface Row {
  readonly kind: ViolationKind;
  readonly rule: string;
  /** Description that names no value. */
  readonly text: string;
}

const plan = (rule: string, text: string): Row => ({ kind: 'plan', rule, text });
const result = (rule: string, text: string): Row => ({ kind: 'result', rule, text });
const object = (rule: string, text: string): Row => ({ kind: 'object', rule, text });

/** Every possible finding. */
export const FINDINGS = {
  // of a plan
  PLAN_ABSENT: plan('TFC-4', 'nothing is planned where the configuration has something'),
  PLAN_PRESENT: plan('TFC-4', 'something is planned where the configuration has nothing'),
  NOT_COMPUTED: plan(
    'TFC-5',
    'a value is planned for an attribute that is not set and that the provider may not compute',
  ),
  CONFIG_MISMATCH: plan('TFC-5', 'the planned value is not the configured one'),
  CONFIG_PRIOR_MISMATCH: plan(
    'TFC-5',
    'the planned value is neither the configured one nor the one from before',
  ),
  UNKNOWN_FOR_CONFIGURED: plan('TFC-6', 'an unknown value is planned for what is configured'),
  COUNT: plan('TFC-6', 'the plan has another number of elements than the configuration'),
  UNKNOWN_BLOCK_CHANGED: plan('TFC-7', 'blocks that are not known yet are planned as something else'),
  BLOCK_UNKNOWN: plan('TFC-7', 'blocks are planned as unknown though the configuration is known'),
  BLOCK_NULL: plan('TFC-7', 'blocks are planned as null where none must be an empty collection'),
  ELEMENT_UNKNOWN: plan('TFC-7', 'a block is planned as unknown; only what is in it may be'),
  KEY_NOT_IN_CONFIG: plan('TFC-7', 'the plan has a key that the configuration does not have'),
  KEY_NOT_IN_PLAN: plan('TFC-7', 'the plan lacks a key of the configuration'),
  REPLACE_PATH: plan('TFC-9', 'a replacement is required by a path that leads to nothing'),
  PLAN_TYPE: plan('TFC-8', 'the planned value is not of the type of the schema'),
  PLAN_WRITE_ONLY: plan('TFC-8', 'a write-only attribute has a value in the plan'),
  DESTROY_PLANNED_PRESENT: plan('TFC-4', 'something is planned for what is to be deleted'),
  // of the plan of an apply compared with the earlier one, and of a result compared with its plan
  ACTION_CHANGED: {
    kind: 'final-plan',
    rule: 'TFC-16',
    text: 'the plan of the apply does something else than the plan that was approved',
  },
  NOW_PRESENT: result('TFC-17', 'was planned as absent and is there'),
  NOW_ABSENT: result('TFC-17', 'was planned and is absent'),
  NOW_NULL: result('TFC-17', 'was planned with a value and is null'),
  WAS_NULL: result('TFC-17', 'was planned as null and has a value'),
  NOW_UNKNOWN: result('TFC-17', 'was planned with a value and is unknown'),
  CHANGED: result('TFC-17', 'has another value than planned'),
  TYPE: result('TFC-17', 'has another type than planned'),
  REFINEMENT: result('TFC-18', 'is outside of what the plan said of the unknown value'),
  ELEMENT_VANISHED: result('TFC-17', 'lacks a planned element'),
  ELEMENT_APPEARED: result('TFC-17', 'has an element that was not planned'),
  SET_ELEMENT_LOST: result('TFC-19', 'lacks an element that corresponds to a planned one'),
  SET_ELEMENT_NEW: result('TFC-19', 'has an element that corresponds to no planned one'),
  SET_GREW: result('TFC-19', 'has more elements than planned'),
  BLOCK_COUNT: result('TFC-20', 'has another number of blocks than it should'),
  KEY_VANISHED: result('TFC-20', 'lacks a planned key'),
  KEY_APPEARED: result('TFC-20', 'has a key that was not planned'),
  // of the object that a call returns
  NO_OBJECT: object('TFC-21', 'the answer has no object'),
  NONCONFORMING: object('TFC-21', 'is not of the type of the schema'),
  UNKNOWN_LEFT: result('TFC-22', 'is still unknown after the apply'),
  NOT_DELETED: result('TFC-23', 'is still there after the delete'),
  NULL_RESULT: result('TFC-23', 'is null after a create or update'),
  WRITE_ONLY: object('TFC-24', 'a write-only attribute has a value in the answer'),
  UNKNOWN_VALUE: object('TFC-29', 'is unknown where everything must be known'),
  NULL_OBJECT: object('TFC-32', 'is null where an object is required'),
  // of an import, and of stored state
  IMPORT_NONE: { kind: 'import', rule: 'TFC-30', text: 'the import gave no object' },
  IMPORT_MANY: { kind: 'import', rule: 'TFC-30', text: 'the import gave more than one object' },
  IMPORT_TYPE: { kind: 'import', rule: 'TFC-30', text: 'the import gave an object of another type' },
  IMPORT_NULL: { kind: 'import', rule: 'TFC-30', text: 'the import gave null' },
  IMPORT_ABSENT: { kind: 'import', rule: 'TFC-30', text: 'the object to import does not exist' },
  NEWER_STATE: {
    kind: 'newer-state',
    rule: 'TFC-31',
    text: 'the state was written with a newer version of the provider',
  },
  DEFERRED: {
    kind: 'deferred',
    rule: 'TFC-12',
    text: 'the provider defers the change, which was not offered',
  },
} as const satisfies Record<string, Row>;

/** Code of a finding. */
export type FindingCode = keyof typeof FINDINGS;
